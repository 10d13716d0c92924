-- INFORMATION_SCHEMA.DOMAINS: alias types of the current database.
-- column: DOMAIN_CATALOG nvarchar(128)
-- column: DOMAIN_SCHEMA nvarchar(128)
-- column: DOMAIN_NAME sysname not null
-- column: DATA_TYPE sysname
-- column: CHARACTER_MAXIMUM_LENGTH int
-- column: CHARACTER_OCTET_LENGTH int
-- column: COLLATION_CATALOG varchar(6)
-- column: COLLATION_SCHEMA varchar(3)
-- column: COLLATION_NAME nvarchar(128)
-- column: CHARACTER_SET_CATALOG varchar(6)
-- column: CHARACTER_SET_SCHEMA varchar(3)
-- column: CHARACTER_SET_NAME nvarchar(128)
-- column: NUMERIC_PRECISION tinyint
-- column: NUMERIC_PRECISION_RADIX smallint
-- column: NUMERIC_SCALE tinyint
-- column: DATETIME_PRECISION smallint
-- column: DOMAIN_DEFAULT nvarchar(4000)
SELECT d.name AS DOMAIN_CATALOG, s.name AS DOMAIN_SCHEMA, t.name AS DOMAIN_NAME, b.name AS DATA_TYPE,
    CASE WHEN b.name IN ('nchar', 'nvarchar') AND t.max_length > 0 THEN t.max_length // 2
        WHEN t.collation_name IS NOT NULL OR b.name IN ('binary', 'varbinary') THEN t.max_length END AS CHARACTER_MAXIMUM_LENGTH,
    CASE WHEN t.collation_name IS NOT NULL OR b.name IN ('binary', 'varbinary') THEN t.max_length END AS CHARACTER_OCTET_LENGTH,
    NULL AS COLLATION_CATALOG, NULL AS COLLATION_SCHEMA, CASE WHEN is_number THEN NULL ELSE t.collation_name END AS COLLATION_NAME, NULL AS CHARACTER_SET_CATALOG,
    NULL AS CHARACTER_SET_SCHEMA,
    CASE WHEN t.collation_name IS NULL THEN NULL WHEN b.name IN ('nchar', 'nvarchar') THEN 'UNICODE' ELSE 'iso_1' END
        AS CHARACTER_SET_NAME,
    CASE WHEN is_number THEN t.precision END AS NUMERIC_PRECISION,
    CASE WHEN b.name IN ('float', 'real') THEN 2 WHEN is_number THEN 10 END AS NUMERIC_PRECISION_RADIX,
    CASE WHEN is_number AND b.name NOT IN ('float', 'real') THEN t.scale END AS NUMERIC_SCALE,
    CASE WHEN b.name IN ('date', 'time', 'datetime', 'smalldatetime', 'datetime2', 'datetimeoffset') THEN t.scale END
        AS DATETIME_PRECISION,
    NULL AS DOMAIN_DEFAULT
FROM catalog_types t
JOIN (SELECT database_id, user_type_id, is_user_defined, name, name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'float', 'real')
        AS is_number FROM catalog_types) b
    ON b.database_id = t.database_id AND b.user_type_id = t.system_type_id AND NOT b.is_user_defined
JOIN catalog_databases d ON d.id = t.database_id
JOIN catalog_schemas s ON s.database_id = t.database_id AND s.id = t.schema_id
WHERE t.database_id = $database_id AND t.is_user_defined AND NOT t.is_table_type
