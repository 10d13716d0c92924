-- sys.tcp_endpoints: endpoints of the instance that listen on TCP.
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
-- column: port int not null
-- column: is_dynamic_port bit not null
-- column: ip_address nvarchar(45)
SELECT name, id AS endpoint_id, principal_id, 2 AS protocol, 'TCP' AS protocol_desc, 3 AS type,
    'SERVICE_BROKER' AS type_desc, CASE state WHEN 'STARTED' THEN 0 WHEN 'STOPPED' THEN 1 ELSE 2 END AS state,
    state AS state_desc, false AS is_admin_endpoint, port, false AS is_dynamic_port, ip_address
FROM catalog_endpoints
