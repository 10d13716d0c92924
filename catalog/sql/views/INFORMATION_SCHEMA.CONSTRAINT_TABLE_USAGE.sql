-- INFORMATION_SCHEMA.CONSTRAINT_TABLE_USAGE: tables of the current database that have constraints; a foreign key is one of its own table.
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME nvarchar(128) not null
-- column: CONSTRAINT_CATALOG nvarchar(128)
-- column: CONSTRAINT_SCHEMA nvarchar(128)
-- column: CONSTRAINT_NAME nvarchar(128) not null
WITH k AS (
    SELECT database_id, parent_object_id, name FROM catalog_keys
    UNION ALL SELECT database_id, parent_object_id, name FROM catalog_checks
    UNION ALL SELECT DISTINCT database_id, parent_object_id, name FROM catalog_foreign_keys)
SELECT d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, o.name AS TABLE_NAME, d.name AS CONSTRAINT_CATALOG,
    s.name AS CONSTRAINT_SCHEMA, k.name AS CONSTRAINT_NAME
FROM k JOIN catalog_objects o ON o.database_id = k.database_id AND o.object_id = k.parent_object_id
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
WHERE k.database_id = $database_id
