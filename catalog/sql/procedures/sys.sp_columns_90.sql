-- sp_columns_90: sp_columns and, in front of the last column, what tells typed xml.
CREATE PROCEDURE sys.sp_columns_90
    @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @ODBCVer int = 2, @fUsePattern bit = 1
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
-- part: columns_of_tables
-- part: typed_xml
    CAST(IIF(c.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
-- part: from_columns
