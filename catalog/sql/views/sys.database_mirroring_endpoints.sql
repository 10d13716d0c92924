-- sys.database_mirroring_endpoints: empty: there is no database mirroring here.
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
-- column: role tinyint
-- column: role_desc nvarchar(60)
-- column: is_encryption_enabled bit not null
-- column: connection_auth tinyint not null
-- column: connection_auth_desc nvarchar(60)
-- column: certificate_id int not null
-- column: encryption_algorithm tinyint not null
-- column: encryption_algorithm_desc nvarchar(60)
SELECT NULL AS name, NULL AS endpoint_id, NULL AS principal_id, NULL AS protocol, NULL AS protocol_desc, NULL AS
    type, NULL AS type_desc, NULL AS state, NULL AS state_desc, NULL AS is_admin_endpoint, NULL AS role, NULL AS
    role_desc, NULL AS is_encryption_enabled, NULL AS connection_auth, NULL AS connection_auth_desc, NULL AS
    certificate_id, NULL AS encryption_algorithm, NULL AS encryption_algorithm_desc
WHERE false
