-- INFORMATION_SCHEMA.VIEWS: views of the current database.
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME sysname not null
-- column: VIEW_DEFINITION nvarchar(4000)
-- column: CHECK_OPTION varchar(7)
-- column: IS_UPDATABLE varchar(2) not null
SELECT d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, m.name AS TABLE_NAME,
    CASE WHEN length(m.definition) <= 4000 THEN m.definition END AS VIEW_DEFINITION, CASE WHEN x.with_check_option THEN 'CASCADE' ELSE 'NONE' END AS CHECK_OPTION, 'NO' AS IS_UPDATABLE
FROM catalog_modules m JOIN catalog_databases d ON d.id = m.database_id
JOIN catalog_schemas s ON s.database_id = m.database_id AND s.id = m.schema_id
LEFT JOIN live_module_facts x ON x.database_id = m.database_id AND x.id = m.id
WHERE m.database_id = $database_id AND m.type = 'V'
