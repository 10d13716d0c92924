-- sys.services: services of the current database. Names compare byte by byte.
-- column: name sysname collate Latin1_General_BIN not null
-- column: service_id int not null
-- column: principal_id int
-- column: service_queue_id int not null
SELECT name, id AS service_id, principal_id, queue_id AS service_queue_id
FROM catalog_services WHERE database_id = $database_id
