-- INFORMATION_SCHEMA.PARAMETERS: parameters of procedures and functions of the current database.
-- column: SPECIFIC_CATALOG nvarchar(128)
-- column: SPECIFIC_SCHEMA nvarchar(128)
-- column: SPECIFIC_NAME nvarchar(128) not null
-- column: ORDINAL_POSITION int not null
-- column: PARAMETER_MODE nvarchar(10)
-- column: IS_RESULT nvarchar(10)
-- column: AS_LOCATOR nvarchar(10)
-- column: PARAMETER_NAME nvarchar(128)
-- column: DATA_TYPE nvarchar(128)
-- column: CHARACTER_MAXIMUM_LENGTH int
-- column: CHARACTER_OCTET_LENGTH int
-- column: COLLATION_CATALOG nvarchar(128)
-- column: COLLATION_SCHEMA nvarchar(128)
-- column: COLLATION_NAME nvarchar(128)
-- column: CHARACTER_SET_CATALOG nvarchar(128)
-- column: CHARACTER_SET_SCHEMA nvarchar(128)
-- column: CHARACTER_SET_NAME nvarchar(128)
-- column: NUMERIC_PRECISION tinyint
-- column: NUMERIC_PRECISION_RADIX smallint
-- column: NUMERIC_SCALE tinyint
-- column: DATETIME_PRECISION smallint
-- column: INTERVAL_TYPE nvarchar(30)
-- column: INTERVAL_PRECISION smallint
-- column: USER_DEFINED_TYPE_CATALOG nvarchar(128)
-- column: USER_DEFINED_TYPE_SCHEMA nvarchar(128)
-- column: USER_DEFINED_TYPE_NAME nvarchar(128)
-- column: SCOPE_CATALOG nvarchar(128)
-- column: SCOPE_SCHEMA nvarchar(128)
-- column: SCOPE_NAME nvarchar(128)
WITH p AS (
    SELECT *, type_name IN ('char', 'varchar', 'nchar', 'nvarchar', 'text', 'ntext') AS is_text, type_name IN ('binary', 'varbinary') AS is_bytes,
        type_name IN ('nchar', 'nvarchar', 'ntext') AS is_wide,
        type_name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'float', 'real') AS is_number
    FROM live_parameters)
SELECT d.name AS SPECIFIC_CATALOG, s.name AS SPECIFIC_SCHEMA, m.name AS SPECIFIC_NAME, p.parameter_id AS ORDINAL_POSITION,
    CASE WHEN p.parameter_id = 0 THEN 'OUT' WHEN p.is_output THEN 'INOUT' ELSE 'IN' END AS PARAMETER_MODE,
    CASE WHEN p.parameter_id = 0 THEN 'YES' ELSE 'NO' END AS IS_RESULT, 'NO' AS AS_LOCATOR, p.name AS PARAMETER_NAME,
    p.type_name AS DATA_TYPE,
    CASE WHEN p.is_wide AND p.max_length > 0 THEN p.max_length // 2 WHEN p.is_text OR p.is_bytes THEN p.max_length END
        AS CHARACTER_MAXIMUM_LENGTH,
    CASE WHEN p.is_text OR p.is_bytes THEN p.max_length END AS CHARACTER_OCTET_LENGTH,
    NULL AS COLLATION_CATALOG, NULL AS COLLATION_SCHEMA, CASE WHEN p.is_text THEN d.collation_name END AS COLLATION_NAME,
    NULL AS CHARACTER_SET_CATALOG, NULL AS CHARACTER_SET_SCHEMA,
    CASE WHEN p.is_wide THEN 'UNICODE' WHEN p.is_text THEN 'iso_1' END AS CHARACTER_SET_NAME,
    CASE WHEN p.is_number THEN p.precision END AS NUMERIC_PRECISION,
    CASE WHEN p.type_name IN ('float', 'real') THEN 2 WHEN p.is_number THEN 10 END AS NUMERIC_PRECISION_RADIX,
    CASE WHEN p.is_number AND p.type_name NOT IN ('float', 'real') THEN p.scale END AS NUMERIC_SCALE,
    CASE WHEN p.type_name IN ('date', 'time', 'datetime', 'smalldatetime', 'datetime2', 'datetimeoffset') THEN p.scale END
        AS DATETIME_PRECISION,
    NULL AS INTERVAL_TYPE, NULL AS INTERVAL_PRECISION, 
    CASE WHEN y.name IS NOT NULL THEN d.name END AS USER_DEFINED_TYPE_CATALOG, ys.name AS USER_DEFINED_TYPE_SCHEMA,
    y.name AS USER_DEFINED_TYPE_NAME, NULL AS SCOPE_CATALOG, NULL AS SCOPE_SCHEMA, NULL AS SCOPE_NAME
FROM p JOIN catalog_modules m ON m.database_id = p.database_id AND m.id = p.object_id
JOIN catalog_databases d ON d.id = m.database_id
JOIN catalog_schemas s ON s.database_id = m.database_id AND s.id = m.schema_id
LEFT JOIN catalog_types y ON y.database_id = p.database_id AND y.user_type_id = p.user_type_id AND y.is_user_defined
LEFT JOIN catalog_schemas ys ON ys.database_id = y.database_id AND ys.id = y.schema_id
WHERE p.database_id = $database_id
