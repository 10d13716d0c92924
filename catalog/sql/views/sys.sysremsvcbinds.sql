-- sys.sysremsvcbinds: base table: remote service bindings. scid is 0: a binding is for every contract. Bit 1 of status: anonymous.
-- only the administrator's connection
-- column: id int not null
-- column: name sysname not null
-- column: scid int not null
-- column: remsvc nvarchar(256) collate Latin1_General_BIN
-- column: status int not null
SELECT id, name, 0 AS scid, remote_service_name AS remsvc, is_anonymous_on::INTEGER AS status
FROM catalog_remote_service_bindings WHERE database_id = $database_id ORDER BY id
