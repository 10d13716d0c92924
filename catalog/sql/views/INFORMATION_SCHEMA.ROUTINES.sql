-- INFORMATION_SCHEMA.ROUTINES: procedures and functions of the current database.
-- column: SPECIFIC_CATALOG nvarchar(128)
-- column: SPECIFIC_SCHEMA nvarchar(128)
-- column: SPECIFIC_NAME nvarchar(128) not null
-- column: ROUTINE_CATALOG nvarchar(128)
-- column: ROUTINE_SCHEMA nvarchar(128)
-- column: ROUTINE_NAME nvarchar(128) not null
-- column: ROUTINE_TYPE nvarchar(20)
-- column: DATA_TYPE nvarchar(128)
-- column: ROUTINE_BODY nvarchar(30)
-- column: ROUTINE_DEFINITION nvarchar(4000)
-- column: SQL_DATA_ACCESS nvarchar(30)
-- column: CREATED datetime not null
-- column: LAST_ALTERED datetime not null
SELECT d.name AS SPECIFIC_CATALOG, s.name AS SPECIFIC_SCHEMA, m.name AS SPECIFIC_NAME, d.name AS ROUTINE_CATALOG,
    s.name AS ROUTINE_SCHEMA, m.name AS ROUTINE_NAME, CASE m.type WHEN 'P' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS ROUTINE_TYPE,
    CASE WHEN m.type IN ('IF', 'TF') THEN 'TABLE' ELSE p.type_name END AS DATA_TYPE, 'SQL' AS ROUTINE_BODY,
    left(m.definition, 4000) AS ROUTINE_DEFINITION, CASE m.type WHEN 'P' THEN 'MODIFIES' ELSE 'READS' END AS SQL_DATA_ACCESS,
    sbql.at(m.create_date) AS CREATED, sbql.at(m.modify_date) AS LAST_ALTERED
FROM catalog_modules m JOIN catalog_databases d ON d.id = m.database_id
JOIN catalog_schemas s ON s.database_id = m.database_id AND s.id = m.schema_id
LEFT JOIN live_parameters p ON p.database_id = m.database_id AND p.object_id = m.id AND p.parameter_id = 0
WHERE m.database_id = $database_id AND m.type IN ('P', 'FN', 'IF', 'TF')
