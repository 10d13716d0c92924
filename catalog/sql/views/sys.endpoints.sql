-- sys.endpoints: endpoints of the instance: the built-in T-SQL ones, and the Service Broker endpoint if there is one.
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
SELECT name, endpoint_id, principal_id, protocol, protocol_desc, 2 AS type, 'TSQL' AS type_desc, 0 AS state,
    'STARTED' AS state_desc, is_admin_endpoint
FROM (VALUES ('Dedicated Admin Connection', 1, 1, 2, 'TCP', true), ('TSQL Local Machine', 2, 1, 4, 'SHARED_MEMORY', false),
    ('TSQL Named Pipes', 3, 1, 3, 'NAMED_PIPES', false), ('TSQL Default TCP', 4, 1, 2, 'TCP', false))
    AS built_in(name, endpoint_id, principal_id, protocol, protocol_desc, is_admin_endpoint)
UNION ALL
SELECT name, id, principal_id, 2, 'TCP', 3, 'SERVICE_BROKER',
    CASE state WHEN 'STARTED' THEN 0 WHEN 'STOPPED' THEN 1 ELSE 2 END, state, false
FROM catalog_endpoints
