-- sp_columns_100: the columns of tables and views as drivers of today ask for them: with the types of SQL Server 2008, and what is
-- sparse, computed, an identity or typed xml.
CREATE PROCEDURE sys.sp_columns_100
    @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @NameScope int = 0, @ODBCVer int = 2, @fUsePattern bit = 1
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS TABLE_OWNER,
    CAST(o.name AS nvarchar(128)) AS TABLE_NAME, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME,
    CAST(
-- part: type_of_2008
    AS smallint) AS DATA_TYPE,
    CAST(COALESCE(u.name, b.name) + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length / t.unit) ELSE ISNULL(t.fixed_precision, c.precision) END AS [PRECISION],
    CASE b.name WHEN 'date' THEN 6 WHEN 'time' THEN 12 WHEN 'datetime2' THEN 16 WHEN 'datetimeoffset' THEN 20
        ELSE COALESCE(t.fixed_length, t.length_a_digit * c.precision + t.length_more, IIF(c.max_length = -1, 0, c.max_length)) END AS [LENGTH],
    CAST(IIF(t.has_scale = 1, c.scale, NULL) AS smallint) AS SCALE, CAST(t.RADIX AS smallint) AS RADIX,
    CAST(c.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS,
    CAST(d.definition AS nvarchar(4000)) AS COLUMN_DEF, CAST(CASE b.name WHEN 'date' THEN 9 WHEN 'datetime2' THEN 9 WHEN 'time' THEN -154 WHEN 'datetimeoffset' THEN -155 ELSE t.SQL_DATA_TYPE END AS smallint) AS SQL_DATA_TYPE,
    CAST(CASE b.name WHEN 'date' THEN 1 WHEN 'datetime2' THEN 3 ELSE t.SQL_DATETIME_SUB END AS smallint) AS SQL_DATETIME_SUB,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length) ELSE t.octets END AS CHAR_OCTET_LENGTH,
    CAST(c.ordinal AS int) AS ORDINAL_POSITION, CAST(IIF(c.is_nullable = 1, 'YES', 'NO') AS varchar(254)) AS IS_NULLABLE,
    CAST(c.is_sparse AS smallint) AS SS_IS_SPARSE, CAST(c.is_column_set AS smallint) AS SS_IS_COLUMN_SET, CAST(c.is_computed AS smallint) AS SS_IS_COMPUTED,
    CAST(c.is_identity AS smallint) AS SS_IS_IDENTITY,
-- part: typed_xml
    CAST(IIF(c.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
-- part: from_columns
