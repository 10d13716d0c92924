-- sys.schemas: schemas of the current database.
-- column: name sysname not null
-- column: schema_id int not null
-- column: principal_id int
SELECT name, id AS schema_id, principal_id FROM catalog_schemas WHERE database_id = $database_id
