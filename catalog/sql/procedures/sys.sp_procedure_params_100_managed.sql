-- sp_procedure_params_100_managed: the parameters of a procedure or function, as SqlClient asks for them (DeriveParameters):
-- PARAMETER_TYPE is 1 for input, 2 for OUTPUT, 4 for what it returns; MANAGED_DATA_TYPE the number of SqlDbType; a length of 0 is (max).
CREATE PROCEDURE sys.sp_procedure_params_100_managed
    @procedure_name sysname, @group_number int = 1, @procedure_schema sysname = NULL, @parameter_name sysname = NULL
AS
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_CATALOG, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS PROCEDURE_SCHEMA,
    CAST(o.name AS nvarchar(128)) AS PROCEDURE_NAME, CAST(p.name AS nvarchar(128)) AS PARAMETER_NAME, CAST(p.parameter_id AS smallint) AS ORDINAL_POSITION,
    CAST(CASE WHEN p.parameter_id = 0 THEN 4 WHEN p.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS PARAMETER_TYPE,
    CAST(0 AS bit) AS PARAMETER_HASDEFAULT, CAST(NULL AS nvarchar(4000)) AS PARAMETER_DEFAULT, CAST(p.parameter_id AS bit) AS IS_NULLABLE,
    CAST(m.number AS smallint) AS MANAGED_DATA_TYPE,
    CASE WHEN m.unit IS NOT NULL THEN IIF(p.max_length = -1, 0, p.max_length / m.unit) END AS CHARACTER_MAXIMUM_LENGTH,
    CASE WHEN m.unit IS NOT NULL THEN IIF(p.max_length = -1, 0, p.max_length) END AS CHARACTER_OCTET_LENGTH,
    CAST(IIF(m.is_number = 1, p.precision, NULL) AS smallint) AS NUMERIC_PRECISION, CAST(IIF(m.is_number = 1, p.scale, NULL) AS smallint) AS NUMERIC_SCALE,
    CAST(IIF(s.name IS NULL, NULL, DB_NAME()) AS nvarchar(128)) AS TYPE_CATALOG_NAME, CAST(SCHEMA_NAME(s.schema_id) AS nvarchar(128)) AS TYPE_SCHEMA_NAME,
    CAST(ISNULL(s.name, b.name) AS nvarchar(128)) AS TYPE_NAME, CAST(IIF(x.name IS NULL, NULL, DB_NAME()) AS nvarchar(128)) AS XML_CATALOGNAME,
    CAST(SCHEMA_NAME(x.schema_id) AS nvarchar(128)) AS XML_SCHEMANAME, CAST(x.name AS nvarchar(128)) AS XML_SCHEMACOLLECTIONNAME,
    CAST(IIF(m.number IN (32, 33, 34), p.scale, NULL) AS smallint) AS SS_DATETIME_PRECISION
FROM (SELECT object_id, CAST(IIF(parameter_id = 0, N'@RETURN_VALUE', name) AS sysname) AS name, parameter_id, system_type_id, user_type_id, max_length, precision,
        scale, is_output, xml_collection_id FROM sys.all_parameters
    UNION ALL SELECT object_id, N'@RETURN_VALUE', 0, 56, 56, 4, 10, 0, 1, 0 FROM sys.all_objects WHERE type IN ('P', 'X')) AS p
JOIN sys.all_objects AS o ON o.object_id = p.object_id
LEFT JOIN sys.types AS b ON b.user_type_id = p.system_type_id
LEFT JOIN sys.types AS s ON s.user_type_id = p.user_type_id AND s.is_table_type = 1
LEFT JOIN sys.xml_schema_collections AS x ON x.xml_collection_id = p.xml_collection_id AND p.xml_collection_id <> 0
JOIN (VALUES (N'bigint', 0, NULL, 1), (N'binary', 1, 1, 0), (N'bit', 2, NULL, 1), (N'char', 3, 1, 0), (N'datetime', 4, NULL, 0), (N'decimal', 5, NULL, 1),
        (N'numeric', 5, NULL, 1), (N'float', 6, NULL, 1), (N'image', 7, NULL, 0), (N'int', 8, NULL, 1), (N'money', 9, NULL, 1), (N'nchar', 10, 2, 0),
        (N'ntext', 11, NULL, 0), (N'nvarchar', 12, 2, 0), (N'sysname', 12, 2, 0), (N'real', 13, NULL, 1), (N'uniqueidentifier', 14, NULL, 0),
        (N'smalldatetime', 15, NULL, 0), (N'smallint', 16, NULL, 1), (N'smallmoney', 17, NULL, 1), (N'text', 18, NULL, 0), (N'timestamp', 19, NULL, 0),
        (N'tinyint', 20, NULL, 1), (N'varbinary', 21, 1, 0), (N'varchar', 22, 1, 0), (N'sql_variant', 23, NULL, 0), (N'xml', 25, NULL, 0),
        (N'table type', 30, NULL, 0), (N'date', 31, NULL, 0), (N'time', 32, NULL, 0), (N'datetime2', 33, NULL, 0), (N'datetimeoffset', 34, NULL, 0)
    ) AS m (name, number, unit, is_number) ON m.name = IIF(s.name IS NOT NULL, N'table type', b.name)
WHERE o.name = @procedure_name AND o.type IN ('P', 'X', 'FN', 'TF', 'IF') AND ISNULL(@group_number, 1) = 1
    AND (@procedure_schema IS NULL OR SCHEMA_NAME(o.schema_id) = @procedure_schema) AND (@parameter_name IS NULL OR p.name = @parameter_name)
ORDER BY PROCEDURE_SCHEMA, PROCEDURE_NAME, ORDINAL_POSITION
