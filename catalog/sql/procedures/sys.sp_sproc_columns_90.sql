-- sp_sproc_columns_90: sp_sproc_columns and, in front of the last column, what tells typed xml.
CREATE PROCEDURE sys.sp_sproc_columns_90
    @procedure_name nvarchar(390) = N'%', @procedure_owner nvarchar(384) = NULL, @procedure_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1
AS
IF @procedure_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS PROCEDURE_OWNER,
    CAST(o.name + IIF(o.type = 'P', ';1', ';0') AS nvarchar(134)) AS PROCEDURE_NAME, CAST(p.name AS nvarchar(128)) AS COLUMN_NAME,
    CAST(CASE WHEN p.parameter_id = 0 THEN 5 WHEN p.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS COLUMN_TYPE,
    CAST(t.DATA_TYPE AS smallint) AS DATA_TYPE, CAST(COALESCE(u.name, b.name) AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN t.unit IS NOT NULL THEN IIF(p.max_length = -1, 0, p.max_length / t.unit) ELSE ISNULL(t.fixed_precision, p.precision) END AS [PRECISION],
    COALESCE(t.fixed_length, t.length_a_digit * p.precision + t.length_more, IIF(p.max_length = -1, 0, p.max_length)) AS [LENGTH],
    CAST(IIF(t.has_scale = 1, p.scale, NULL) AS smallint) AS SCALE, CAST(t.RADIX AS smallint) AS RADIX,
    CAST(p.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS, CAST(NULL AS nvarchar(4000)) AS COLUMN_DEF,
    CAST(t.SQL_DATA_TYPE AS smallint) AS SQL_DATA_TYPE, CAST(t.SQL_DATETIME_SUB AS smallint) AS SQL_DATETIME_SUB,
    CASE WHEN t.unit IS NOT NULL THEN IIF(p.max_length = -1, 0, p.max_length) ELSE t.octets END AS CHAR_OCTET_LENGTH,
    p.parameter_id AS ORDINAL_POSITION, CAST(IIF(p.is_nullable = 1, 'YES', 'NO') AS varchar(254)) AS IS_NULLABLE,
    CAST(NULL AS nvarchar(128)) AS SS_UDT_CATALOG_NAME, CAST(NULL AS nvarchar(128)) AS SS_UDT_SCHEMA_NAME,
    CAST(NULL AS nvarchar(4000)) AS SS_UDT_ASSEMBLY_TYPE_NAME, CAST(IIF(x.name IS NULL, NULL, DB_NAME()) AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_CATALOG_NAME,
    CAST(SCHEMA_NAME(x.schema_id) AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_SCHEMA_NAME, CAST(x.name AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_NAME,
    CAST(IIF(p.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
FROM (SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output, is_nullable, xml_collection_id
        FROM sys.parameters
    UNION ALL SELECT object_id, '@RETURN_VALUE', 0, 56, 56, 4, 10, 0, 1, 0, 0 FROM sys.procedures) AS p
JOIN sys.objects AS o ON o.object_id = p.object_id
JOIN sys.types AS b ON b.user_type_id = p.system_type_id JOIN sys.spt_datatype_info AS t ON t.TYPE_NAME = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = p.user_type_id AND u.user_type_id <> u.system_type_id
LEFT JOIN sys.xml_schema_collections AS x ON x.xml_collection_id = p.xml_collection_id AND p.xml_collection_id <> 0
WHERE (@procedure_name IS NULL OR @fUsePattern = 1 AND o.name LIKE @procedure_name OR o.name = @procedure_name)
    AND (@procedure_owner IS NULL OR @fUsePattern = 1 AND SCHEMA_NAME(o.schema_id) LIKE @procedure_owner
        OR SCHEMA_NAME(o.schema_id) = @procedure_owner)
    AND (@column_name IS NULL OR @fUsePattern = 1 AND p.name LIKE @column_name OR p.name = @column_name)
ORDER BY PROCEDURE_OWNER, PROCEDURE_NAME, ORDINAL_POSITION
