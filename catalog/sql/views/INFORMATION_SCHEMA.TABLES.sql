-- INFORMATION_SCHEMA.TABLES: tables and views of the current database.
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME sysname not null
-- column: TABLE_TYPE varchar(10)
SELECT d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, o.name AS TABLE_NAME,
    CASE o.type WHEN 'U' THEN 'BASE TABLE' ELSE 'VIEW' END AS TABLE_TYPE
FROM catalog_objects o JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
WHERE o.database_id = $database_id AND o.type IN ('U', 'V')
