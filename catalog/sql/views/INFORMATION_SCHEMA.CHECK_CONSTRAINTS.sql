-- INFORMATION_SCHEMA.CHECK_CONSTRAINTS: CHECK constraints of the current database.
-- column: CONSTRAINT_CATALOG nvarchar(128)
-- column: CONSTRAINT_SCHEMA nvarchar(128)
-- column: CONSTRAINT_NAME sysname not null
-- column: CHECK_CLAUSE nvarchar(4000)
SELECT d.name AS CONSTRAINT_CATALOG, s.name AS CONSTRAINT_SCHEMA, o.name AS CONSTRAINT_NAME, k.definition AS CHECK_CLAUSE
FROM catalog_checks k JOIN catalog_objects o ON o.database_id = k.database_id AND o.object_id = k.object_id
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
WHERE k.database_id = $database_id
