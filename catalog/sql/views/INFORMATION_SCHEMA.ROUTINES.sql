-- INFORMATION_SCHEMA.ROUTINES: procedures and functions of the current database.
-- column: SPECIFIC_CATALOG nvarchar(128)
-- column: SPECIFIC_SCHEMA nvarchar(128)
-- column: SPECIFIC_NAME nvarchar(128) not null
-- column: ROUTINE_CATALOG nvarchar(128)
-- column: ROUTINE_SCHEMA nvarchar(128)
-- column: ROUTINE_NAME nvarchar(128) not null
-- column: ROUTINE_TYPE nvarchar(20)
-- column: MODULE_CATALOG nvarchar(128)
-- column: MODULE_SCHEMA nvarchar(128)
-- column: MODULE_NAME nvarchar(128)
-- column: UDT_CATALOG nvarchar(128)
-- column: UDT_SCHEMA nvarchar(128)
-- column: UDT_NAME nvarchar(128)
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
-- column: TYPE_UDT_CATALOG nvarchar(128)
-- column: TYPE_UDT_SCHEMA nvarchar(128)
-- column: TYPE_UDT_NAME nvarchar(128)
-- column: SCOPE_CATALOG nvarchar(128)
-- column: SCOPE_SCHEMA nvarchar(128)
-- column: SCOPE_NAME nvarchar(128)
-- column: MAXIMUM_CARDINALITY bigint
-- column: DTD_IDENTIFIER nvarchar(128)
-- column: ROUTINE_BODY nvarchar(30)
-- column: ROUTINE_DEFINITION nvarchar(4000)
-- column: EXTERNAL_NAME nvarchar(128)
-- column: EXTERNAL_LANGUAGE nvarchar(30)
-- column: PARAMETER_STYLE nvarchar(30)
-- column: IS_DETERMINISTIC nvarchar(10)
-- column: SQL_DATA_ACCESS nvarchar(30)
-- column: IS_NULL_CALL nvarchar(10)
-- column: SQL_PATH nvarchar(128)
-- column: SCHEMA_LEVEL_ROUTINE nvarchar(10)
-- column: MAX_DYNAMIC_RESULT_SETS smallint
-- column: IS_USER_DEFINED_CAST nvarchar(10)
-- column: IS_IMPLICITLY_INVOCABLE nvarchar(10)
-- column: CREATED datetime not null
-- column: LAST_ALTERED datetime not null
WITH p AS (
    SELECT *, type_name IN ('char', 'varchar', 'nchar', 'nvarchar', 'text', 'ntext') AS is_text, type_name IN ('binary',
    'varbinary') AS is_bytes,
        type_name IN ('nchar', 'nvarchar', 'ntext') AS is_wide,
        type_name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'float', 'real') AS is_number
    FROM live_parameters WHERE parameter_id = 0)
SELECT d.name AS SPECIFIC_CATALOG, s.name AS SPECIFIC_SCHEMA, m.name AS SPECIFIC_NAME, d.name AS ROUTINE_CATALOG,
    s.name AS ROUTINE_SCHEMA, m.name AS ROUTINE_NAME, CASE m.type WHEN 'P' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS ROUTINE_TYPE,
    NULL AS MODULE_CATALOG, NULL AS MODULE_SCHEMA, NULL AS MODULE_NAME, NULL AS UDT_CATALOG, NULL AS UDT_SCHEMA, NULL AS UDT_NAME,
    CASE WHEN m.type IN ('IF', 'TF') THEN 'TABLE' ELSE p.type_name END AS DATA_TYPE,
    CASE WHEN p.is_wide AND p.max_length > 0 THEN p.max_length // 2 WHEN p.is_text OR p.is_bytes THEN p.max_length END
        AS CHARACTER_MAXIMUM_LENGTH,
    CASE WHEN p.is_text OR p.is_bytes THEN p.max_length END AS CHARACTER_OCTET_LENGTH, NULL AS COLLATION_CATALOG,
    NULL AS COLLATION_SCHEMA, CASE WHEN p.is_text THEN d.collation_name END AS COLLATION_NAME, NULL AS CHARACTER_SET_CATALOG,
    NULL AS CHARACTER_SET_SCHEMA, CASE WHEN p.is_wide THEN 'UNICODE' WHEN p.is_text THEN 'iso_1' END AS CHARACTER_SET_NAME,
    CASE WHEN p.is_number THEN p.precision END AS NUMERIC_PRECISION,
    CASE WHEN p.type_name IN ('float', 'real') THEN 2 WHEN p.is_number THEN 10 END AS NUMERIC_PRECISION_RADIX,
    CASE WHEN p.is_number AND p.type_name NOT IN ('float', 'real') THEN p.scale END AS NUMERIC_SCALE,
    CASE WHEN p.type_name IN ('date', 'time', 'datetime', 'smalldatetime', 'datetime2', 'datetimeoffset') THEN p.scale END
        AS DATETIME_PRECISION,
    NULL AS INTERVAL_TYPE, NULL AS INTERVAL_PRECISION, NULL AS TYPE_UDT_CATALOG, NULL AS TYPE_UDT_SCHEMA, NULL AS TYPE_UDT_NAME,
    NULL AS SCOPE_CATALOG, NULL AS SCOPE_SCHEMA, NULL AS SCOPE_NAME, NULL AS MAXIMUM_CARDINALITY, NULL AS DTD_IDENTIFIER,
    'SQL' AS ROUTINE_BODY, left(m.definition, 4000) AS ROUTINE_DEFINITION, NULL AS EXTERNAL_NAME, NULL AS EXTERNAL_LANGUAGE,
    NULL AS PARAMETER_STYLE, CASE WHEN x.is_deterministic THEN 'YES' ELSE 'NO' END AS IS_DETERMINISTIC,
    CASE m.type WHEN 'P' THEN 'MODIFIES' ELSE 'READS' END AS SQL_DATA_ACCESS,
    CASE WHEN m.type = 'P' THEN NULL WHEN x.null_on_null_input THEN 'YES' ELSE 'NO' END AS IS_NULL_CALL, NULL AS SQL_PATH,
    'YES' AS SCHEMA_LEVEL_ROUTINE, CASE m.type WHEN 'P' THEN -1 ELSE 0 END AS MAX_DYNAMIC_RESULT_SETS, 'NO' AS IS_USER_DEFINED_CAST,
    'NO' AS IS_IMPLICITLY_INVOCABLE, sbql.at(m.create_date) AS CREATED, sbql.at(m.modify_date) AS LAST_ALTERED
FROM catalog_modules m JOIN catalog_databases d ON d.id = m.database_id
LEFT JOIN live_module_facts x ON x.database_id = m.database_id AND x.id = m.id
JOIN catalog_schemas s ON s.database_id = m.database_id AND s.id = m.schema_id
LEFT JOIN p ON p.database_id = m.database_id AND p.object_id = m.id
WHERE m.database_id = $database_id AND m.type IN ('P', 'FN', 'IF', 'TF')
