-- INFORMATION_SCHEMA.VIEW_TABLE_USAGE: tables and views that the views of the current database read.
-- column: VIEW_CATALOG nvarchar(128)
-- column: VIEW_SCHEMA nvarchar(128)
-- column: VIEW_NAME sysname not null
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME sysname not null
SELECT d.name AS VIEW_CATALOG, vs.name AS VIEW_SCHEMA, v.name AS VIEW_NAME, d.name AS TABLE_CATALOG, ts.name AS TABLE_SCHEMA,
    t.name AS TABLE_NAME
FROM live_dependencies x
JOIN catalog_objects v ON v.database_id = x.database_id AND v.object_id = x.referencing_id AND v.type = 'V'
JOIN catalog_objects t ON t.database_id = x.database_id AND t.object_id = x.referenced_id AND t.type IN ('U', 'V')
JOIN catalog_databases d ON d.id = x.database_id
JOIN catalog_schemas vs ON vs.database_id = x.database_id AND vs.id = v.schema_id
JOIN catalog_schemas ts ON ts.database_id = x.database_id AND ts.id = t.schema_id
WHERE x.database_id = $database_id AND x.referenced_minor_id = 0
