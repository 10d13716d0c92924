-- INFORMATION_SCHEMA.COLUMN_DOMAIN_USAGE: columns of the current database that are of an alias type.
-- column: DOMAIN_CATALOG nvarchar(128)
-- column: DOMAIN_SCHEMA nvarchar(128)
-- column: DOMAIN_NAME sysname not null
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME sysname not null
-- column: COLUMN_NAME sysname
SELECT d.name AS DOMAIN_CATALOG, ys.name AS DOMAIN_SCHEMA, y.name AS DOMAIN_NAME, d.name AS TABLE_CATALOG,
    ts.name AS TABLE_SCHEMA, t.name AS TABLE_NAME, c.name AS COLUMN_NAME
FROM catalog_columns c
JOIN catalog_types y ON y.database_id = c.database_id AND y.user_type_id = c.user_type_id AND y.is_user_defined AND NOT y.is_table_type
JOIN catalog_objects t ON t.database_id = c.database_id AND t.object_id = c.object_id AND t.type = 'U'
JOIN catalog_databases d ON d.id = c.database_id
JOIN catalog_schemas ys ON ys.database_id = c.database_id AND ys.id = y.schema_id
JOIN catalog_schemas ts ON ts.database_id = c.database_id AND ts.id = t.schema_id
WHERE c.database_id = $database_id
