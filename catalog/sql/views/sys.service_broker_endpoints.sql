-- sys.service_broker_endpoints: the Service Broker endpoint of the instance: at most one row.
-- column: name sysname not null
-- column: endpoint_id int not null
-- column: principal_id int
-- column: protocol tinyint not null
-- column: protocol_desc nvarchar(60)
-- column: type tinyint not null
-- column: type_desc nvarchar(60)
-- column: state tinyint
-- column: state_desc nvarchar(60)
-- column: is_admin_endpoint bit not null
-- column: is_message_forwarding_enabled bit not null
-- column: message_forwarding_size int not null
-- column: connection_auth tinyint not null
-- column: connection_auth_desc nvarchar(60)
-- column: certificate_id int
-- column: encryption_algorithm tinyint
-- column: encryption_algorithm_desc nvarchar(60)
SELECT e.name, e.id AS endpoint_id, e.principal_id, 2 AS protocol, 'TCP' AS protocol_desc, 3 AS type,
    'SERVICE_BROKER' AS type_desc, CASE e.state WHEN 'STARTED' THEN 0 WHEN 'STOPPED' THEN 1 ELSE 2 END AS state,
    e.state AS state_desc, false AS is_admin_endpoint, e.is_message_forwarding_enabled, e.message_forwarding_size,
    CASE e.methods WHEN 'NTLM' THEN 1 WHEN 'KERBEROS' THEN 2 WHEN 'NEGOTIATE' THEN 3 WHEN 'CERTIFICATE' THEN 4
        WHEN 'NTLM CERTIFICATE' THEN 5 WHEN 'KERBEROS CERTIFICATE' THEN 6 WHEN 'NEGOTIATE CERTIFICATE' THEN 7
        WHEN 'CERTIFICATE NTLM' THEN 8 WHEN 'CERTIFICATE KERBEROS' THEN 9 ELSE 10 END AS connection_auth,
    replace(e.methods, ' ', ', ') AS connection_auth_desc,
    coalesce(c.id, 0) AS certificate_id,
    CASE upper(e.encryption) WHEN 'DISABLED' THEN 0 WHEN 'SUPPORTED' THEN
        CASE upper(e.algorithm) WHEN 'RC4' THEN 3 WHEN 'AES' THEN 4 WHEN 'RC4 AES' THEN 7 ELSE 8 END
        ELSE CASE upper(e.algorithm) WHEN 'RC4' THEN 1 WHEN 'AES' THEN 2 WHEN 'RC4 AES' THEN 5 ELSE 6 END
        END AS encryption_algorithm,
    CASE upper(e.encryption) WHEN 'DISABLED' THEN 'NONE'
        WHEN 'SUPPORTED' THEN 'NONE, ' || replace(upper(e.algorithm), ' ', ', ')
        ELSE replace(upper(e.algorithm), ' ', ', ') END AS encryption_algorithm_desc
FROM (
    SELECT *, replace(replace(replace(replace(upper(authentication), 'WINDOWS NTLM', 'NTLM'), 'WINDOWS KERBEROS', 'KERBEROS'),
        'WINDOWS NEGOTIATE', 'NEGOTIATE'), 'WINDOWS', 'NEGOTIATE') AS methods
    FROM catalog_endpoints
) e LEFT JOIN catalog_certificates c ON c.database_id = 1 AND lower(c.name) = lower(e.certificate_name)
