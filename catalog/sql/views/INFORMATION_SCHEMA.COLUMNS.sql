-- INFORMATION_SCHEMA.COLUMNS: columns of tables and views of the current database.
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME nvarchar(128) not null
-- column: COLUMN_NAME sysname
-- column: ORDINAL_POSITION int
-- column: COLUMN_DEFAULT nvarchar(4000)
-- column: IS_NULLABLE varchar(3)
-- column: DATA_TYPE nvarchar(128)
-- column: CHARACTER_MAXIMUM_LENGTH int
-- column: CHARACTER_OCTET_LENGTH int
-- column: NUMERIC_PRECISION tinyint
-- column: NUMERIC_PRECISION_RADIX smallint
-- column: NUMERIC_SCALE int
-- column: DATETIME_PRECISION smallint
-- column: CHARACTER_SET_CATALOG sysname
-- column: CHARACTER_SET_SCHEMA sysname
-- column: CHARACTER_SET_NAME sysname
-- column: COLLATION_CATALOG sysname
-- column: COLLATION_SCHEMA sysname
-- column: COLLATION_NAME sysname
-- column: DOMAIN_CATALOG sysname
-- column: DOMAIN_SCHEMA sysname
-- column: DOMAIN_NAME sysname
WITH c AS (
    SELECT database_id, object_id, name, column_id, default_definition, is_nullable, type_name, user_type_id, max_length, precision, scale,
        collation_name FROM catalog_columns
    UNION ALL
    SELECT database_id, object_id, name, column_id, NULL, is_nullable, type_name, user_type_id, max_length, precision, scale, collation_name
    FROM live_view_columns)
SELECT d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, o.name AS TABLE_NAME, c.name AS COLUMN_NAME,
    row_number() OVER (PARTITION BY c.object_id ORDER BY c.column_id) AS ORDINAL_POSITION, c.default_definition AS COLUMN_DEFAULT,
    CASE WHEN c.is_nullable THEN 'YES' ELSE 'NO' END AS IS_NULLABLE, c.type_name AS DATA_TYPE,
    CASE WHEN c.type_name IN ('nchar', 'nvarchar') AND c.max_length > 0 THEN c.max_length // 2
        WHEN c.collation_name IS NOT NULL OR c.type_name IN ('binary', 'varbinary', 'xml') THEN c.max_length END
        AS CHARACTER_MAXIMUM_LENGTH,
    CASE WHEN c.collation_name IS NOT NULL OR c.type_name IN ('binary', 'varbinary', 'xml') THEN c.max_length END
        AS CHARACTER_OCTET_LENGTH,
    CASE WHEN numeric THEN c.precision END AS NUMERIC_PRECISION,
    CASE WHEN c.type_name IN ('float', 'real') THEN 2 WHEN numeric THEN 10 END AS NUMERIC_PRECISION_RADIX,
    CASE WHEN numeric AND c.type_name NOT IN ('float', 'real') THEN c.scale END AS NUMERIC_SCALE,
    CASE WHEN c.type_name IN ('date', 'time', 'datetime', 'smalldatetime', 'datetime2', 'datetimeoffset') THEN c.scale END
        AS DATETIME_PRECISION,
    NULL AS CHARACTER_SET_CATALOG, NULL AS CHARACTER_SET_SCHEMA,
    CASE WHEN c.collation_name IS NULL THEN NULL WHEN c.type_name IN ('nchar', 'nvarchar', 'ntext') THEN 'UNICODE' ELSE 'iso_1' END
        AS CHARACTER_SET_NAME,
    NULL AS COLLATION_CATALOG, NULL AS COLLATION_SCHEMA, c.collation_name AS COLLATION_NAME,
    CASE WHEN y.name IS NOT NULL THEN d.name END AS DOMAIN_CATALOG, ys.name AS DOMAIN_SCHEMA, y.name AS DOMAIN_NAME
FROM (SELECT *, type_name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'float', 'real')
        AS numeric FROM c) c
JOIN catalog_objects o ON o.database_id = c.database_id AND o.object_id = c.object_id AND o.type IN ('U', 'V')
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
LEFT JOIN catalog_types y ON y.database_id = c.database_id AND y.user_type_id = c.user_type_id AND y.is_user_defined
LEFT JOIN catalog_schemas ys ON ys.database_id = y.database_id AND ys.id = y.schema_id
WHERE c.database_id = $database_id
