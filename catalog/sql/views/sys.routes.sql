-- sys.routes: routes of the current database. lifetime is the expiry, in UTC.
-- column: name sysname not null
-- column: route_id int not null
-- column: principal_id int
-- column: remote_service_name nvarchar(256) collate Latin1_General_BIN
-- column: broker_instance nvarchar(128)
-- column: lifetime datetime
-- column: address nvarchar(256)
-- column: mirror_address nvarchar(256)
SELECT name, id AS route_id, principal_id, remote_service_name, broker_instance, sbql.at(lifetime) AS lifetime, address,
    mirror_address
FROM catalog_routes WHERE database_id = $database_id
