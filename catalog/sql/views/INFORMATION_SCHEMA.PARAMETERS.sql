-- INFORMATION_SCHEMA.PARAMETERS: parameters of procedures and functions of the current database.
-- column: SPECIFIC_CATALOG nvarchar(128)
-- column: SPECIFIC_SCHEMA nvarchar(128)
-- column: SPECIFIC_NAME nvarchar(128) not null
-- column: ORDINAL_POSITION int not null
-- column: PARAMETER_MODE nvarchar(10)
-- column: IS_RESULT nvarchar(10)
-- column: PARAMETER_NAME nvarchar(128)
-- column: DATA_TYPE nvarchar(128)
-- column: CHARACTER_MAXIMUM_LENGTH int
-- column: NUMERIC_PRECISION tinyint
-- column: NUMERIC_SCALE int
SELECT d.name AS SPECIFIC_CATALOG, s.name AS SPECIFIC_SCHEMA, m.name AS SPECIFIC_NAME, p.parameter_id AS ORDINAL_POSITION,
    CASE WHEN p.parameter_id = 0 THEN 'OUT' WHEN p.is_output THEN 'INOUT' ELSE 'IN' END AS PARAMETER_MODE,
    CASE WHEN p.parameter_id = 0 THEN 'YES' ELSE 'NO' END AS IS_RESULT, p.name AS PARAMETER_NAME, p.type_name AS DATA_TYPE,
    CASE WHEN p.type_name IN ('nchar', 'nvarchar') AND p.max_length > 0 THEN p.max_length // 2
        WHEN p.type_name IN ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') THEN p.max_length END
        AS CHARACTER_MAXIMUM_LENGTH,
    nullif(p.precision, 0) AS NUMERIC_PRECISION, CASE WHEN p.precision > 0 THEN p.scale END AS NUMERIC_SCALE
FROM live_parameters p JOIN catalog_modules m ON m.database_id = p.database_id AND m.id = p.object_id
JOIN catalog_databases d ON d.id = m.database_id
JOIN catalog_schemas s ON s.database_id = m.database_id AND s.id = m.schema_id
WHERE p.database_id = $database_id
