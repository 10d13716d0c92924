-- INFORMATION_SCHEMA.ROUTINE_COLUMNS: columns of what the table-valued functions of the current database return.
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME nvarchar(128) not null
-- column: COLUMN_NAME nvarchar(128)
-- column: ORDINAL_POSITION int not null
-- column: COLUMN_DEFAULT nvarchar(4000)
-- column: IS_NULLABLE varchar(3)
-- column: DATA_TYPE nvarchar(128)
-- column: CHARACTER_MAXIMUM_LENGTH int
-- column: CHARACTER_OCTET_LENGTH int
-- column: NUMERIC_PRECISION tinyint
-- column: NUMERIC_PRECISION_RADIX smallint
-- column: NUMERIC_SCALE tinyint
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
SELECT d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, o.name AS TABLE_NAME, c.name AS COLUMN_NAME, c.column_id AS ORDINAL_POSITION,
    NULL AS COLUMN_DEFAULT, CASE WHEN c.is_nullable THEN 'YES' ELSE 'NO' END AS IS_NULLABLE, c.type_name AS DATA_TYPE,
    CASE WHEN c.type_name IN ('nchar', 'nvarchar') AND c.max_length > 0 THEN c.max_length // 2
        WHEN c.collation IS NOT NULL OR c.type_name IN ('binary', 'varbinary', 'xml') THEN c.max_length END
        AS CHARACTER_MAXIMUM_LENGTH,
    CASE WHEN c.collation IS NOT NULL OR c.type_name IN ('binary', 'varbinary', 'xml') THEN c.max_length END
        AS CHARACTER_OCTET_LENGTH,
    CASE WHEN numeric THEN c.precision END AS NUMERIC_PRECISION,
    CASE WHEN c.type_name IN ('float', 'real') THEN 2 WHEN numeric THEN 10 END AS NUMERIC_PRECISION_RADIX,
    CASE WHEN numeric AND c.type_name NOT IN ('float', 'real') THEN c.scale END AS NUMERIC_SCALE,
    CASE WHEN c.type_name IN ('date', 'time', 'datetime', 'smalldatetime', 'datetime2', 'datetimeoffset') THEN c.scale END
        AS DATETIME_PRECISION,
    NULL AS CHARACTER_SET_CATALOG, NULL AS CHARACTER_SET_SCHEMA,
    CASE WHEN c.collation IS NULL THEN NULL WHEN c.type_name IN ('nchar', 'nvarchar', 'ntext') THEN 'UNICODE' ELSE 'iso_1' END
        AS CHARACTER_SET_NAME,
    NULL AS COLLATION_CATALOG, NULL AS COLLATION_SCHEMA, nullif(c.collation, '') AS COLLATION_NAME, NULL AS DOMAIN_CATALOG,
    NULL AS DOMAIN_SCHEMA, NULL AS DOMAIN_NAME
FROM (SELECT * EXCLUDE (collation_name), type_name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'float', 'real')
        AS numeric, collation_name AS collation
    FROM live_view_columns) c
JOIN catalog_objects o ON o.database_id = c.database_id AND o.object_id = c.object_id AND o.type IN ('IF', 'TF')
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
WHERE c.database_id = $database_id
