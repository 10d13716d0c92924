-- INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE: columns of the current database that keys, foreign keys and CHECK constraints are made of.
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME nvarchar(128) not null
-- column: COLUMN_NAME nvarchar(128)
-- column: CONSTRAINT_CATALOG nvarchar(128)
-- column: CONSTRAINT_SCHEMA nvarchar(128)
-- column: CONSTRAINT_NAME nvarchar(128) not null
WITH k AS (
    SELECT database_id, object_id, name, column_name FROM catalog_indexes WHERE is_primary_key OR is_unique_constraint
    UNION ALL
    SELECT database_id, parent_object_id, name, column_name FROM catalog_foreign_keys
    UNION ALL
    SELECT k.database_id, k.parent_object_id, k.name, x.name FROM catalog_checks k
    JOIN live_check_columns x ON x.database_id = k.database_id AND x.object_id = k.object_id)
SELECT d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, o.name AS TABLE_NAME, k.column_name AS COLUMN_NAME,
    d.name AS CONSTRAINT_CATALOG, s.name AS CONSTRAINT_SCHEMA, k.name AS CONSTRAINT_NAME
FROM k JOIN catalog_objects o ON o.database_id = k.database_id AND o.object_id = k.object_id
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
WHERE k.database_id = $database_id
