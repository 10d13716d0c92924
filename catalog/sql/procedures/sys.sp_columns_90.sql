-- sp_columns_90: sp_columns and, in front of the last column, what tells typed xml.
CREATE PROCEDURE sys.sp_columns_90
    @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS TABLE_OWNER,
    CAST(o.name AS nvarchar(128)) AS TABLE_NAME, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME, CAST(t.DATA_TYPE AS smallint) AS DATA_TYPE,
    CAST(COALESCE(u.name, b.name) + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length / t.unit) ELSE ISNULL(t.fixed_precision, c.precision) END AS [PRECISION],
    COALESCE(t.fixed_length, t.length_a_digit * c.precision + t.length_more, IIF(c.max_length = -1, 0, c.max_length)) AS [LENGTH],
    CAST(IIF(t.has_scale = 1, c.scale, NULL) AS smallint) AS SCALE, CAST(t.RADIX AS smallint) AS RADIX,
    CAST(c.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS,
    CAST(d.definition AS nvarchar(4000)) AS COLUMN_DEF, CAST(t.SQL_DATA_TYPE AS smallint) AS SQL_DATA_TYPE,
    CAST(t.SQL_DATETIME_SUB AS smallint) AS SQL_DATETIME_SUB,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length) ELSE t.octets END AS CHAR_OCTET_LENGTH,
    CAST(c.ordinal AS int) AS ORDINAL_POSITION, CAST(IIF(c.is_nullable = 1, 'YES', 'NO') AS varchar(254)) AS IS_NULLABLE,
    CAST(NULL AS nvarchar(128)) AS SS_UDT_CATALOG_NAME, CAST(NULL AS nvarchar(128)) AS SS_UDT_SCHEMA_NAME,
    CAST(NULL AS nvarchar(4000)) AS SS_UDT_ASSEMBLY_TYPE_NAME, CAST(IIF(x.name IS NULL, NULL, DB_NAME()) AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_CATALOG_NAME,
    CAST(SCHEMA_NAME(x.schema_id) AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_SCHEMA_NAME, CAST(x.name AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_NAME,
    CAST(IIF(c.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY object_id ORDER BY column_id) AS ordinal FROM sys.all_columns) AS c
JOIN sys.all_objects AS o ON o.object_id = c.object_id AND o.type IN ('U', 'V', 'S', 'IF', 'TF')
JOIN sys.types AS b ON b.user_type_id = c.system_type_id JOIN sys.spt_datatype_info AS t ON t.TYPE_NAME = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = c.user_type_id AND u.user_type_id <> u.system_type_id
LEFT JOIN sys.xml_schema_collections AS x ON x.xml_collection_id = c.xml_collection_id AND c.xml_collection_id <> 0
LEFT JOIN sys.default_constraints AS d ON d.object_id = c.default_object_id
WHERE (@fUsePattern = 1 AND o.name LIKE @table_name OR o.name = @table_name)
    AND (@table_owner IS NULL OR @fUsePattern = 1 AND SCHEMA_NAME(o.schema_id) LIKE @table_owner OR SCHEMA_NAME(o.schema_id) = @table_owner)
    AND (@column_name IS NULL OR @fUsePattern = 1 AND c.name LIKE @column_name OR c.name = @column_name)
ORDER BY TABLE_OWNER, TABLE_NAME, ORDINAL_POSITION
