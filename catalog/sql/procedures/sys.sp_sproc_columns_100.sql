-- sp_sproc_columns_100: the parameters of procedures and functions as drivers of today ask for them: with the types of SQL Server 2008, and
-- what tells table types and typed xml.
CREATE PROCEDURE sys.sp_sproc_columns_100
    @procedure_name nvarchar(390) = N'%', @procedure_owner nvarchar(384) = NULL, @procedure_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1
AS
IF @procedure_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS PROCEDURE_OWNER,
    CAST(o.name + IIF(o.type = 'P', ';1', ';0') AS nvarchar(134)) AS PROCEDURE_NAME, CAST(p.name AS nvarchar(128)) AS COLUMN_NAME,
    CAST(CASE WHEN p.parameter_id = 0 THEN 5 WHEN p.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS COLUMN_TYPE,
    CAST(IIF(u.is_table_type = 1, -153,
-- part: type_of_2008
    ) AS smallint) AS DATA_TYPE, CAST(COALESCE(u.name, b.name) AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN u.is_table_type = 1 THEN 0 WHEN t.unit IS NOT NULL THEN IIF(p.max_length = -1, 0, p.max_length / t.unit) ELSE ISNULL(t.fixed_precision, p.precision) END AS [PRECISION],
    CASE b.name WHEN 'date' THEN 6 WHEN 'time' THEN 12 WHEN 'datetime2' THEN 16 WHEN 'datetimeoffset' THEN 20
        ELSE COALESCE(t.fixed_length, t.length_a_digit * p.precision + t.length_more, IIF(p.max_length = -1, 0, p.max_length)) END AS [LENGTH],
    CAST(IIF(t.has_scale = 1, p.scale, NULL) AS smallint) AS SCALE, CAST(t.RADIX AS smallint) AS RADIX,
    CAST(p.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS, CAST(NULL AS nvarchar(4000)) AS COLUMN_DEF,
    CAST(CASE WHEN u.is_table_type = 1 THEN -153 WHEN b.name IN ('date', 'datetime2') THEN 9 WHEN b.name = 'time' THEN -154
        WHEN b.name = 'datetimeoffset' THEN -155 ELSE t.SQL_DATA_TYPE END AS smallint) AS SQL_DATA_TYPE,
    CAST(CASE b.name WHEN 'date' THEN 1 WHEN 'datetime2' THEN 3 ELSE t.SQL_DATETIME_SUB END AS smallint) AS SQL_DATETIME_SUB,
    CASE WHEN t.unit IS NOT NULL THEN IIF(p.max_length = -1, 0, p.max_length) ELSE t.octets END AS CHAR_OCTET_LENGTH,
    p.parameter_id AS ORDINAL_POSITION, CAST(IIF(p.is_nullable = 1, 'YES', 'NO') AS varchar(254)) AS IS_NULLABLE,
    CAST(IIF(u.is_table_type = 1, DB_NAME(), NULL) AS nvarchar(128)) AS SS_TYPE_CATALOG_NAME,
    CAST(IIF(u.is_table_type = 1, SCHEMA_NAME(u.schema_id), NULL) AS nvarchar(128)) AS SS_TYPE_SCHEMA_NAME,
-- part: typed_xml
    CAST(IIF(p.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
-- part: from_parameters
LEFT JOIN sys.types AS b ON b.user_type_id = p.system_type_id LEFT JOIN sys.spt_datatype_info AS t ON t.TYPE_NAME = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = p.user_type_id AND u.user_type_id <> u.system_type_id
LEFT JOIN sys.xml_schema_collections AS x ON x.xml_collection_id = p.xml_collection_id AND p.xml_collection_id <> 0
-- part: named_parameters
