-- sp_tables: tables and views by pattern. @table_type is a list such as "'TABLE','VIEW'".
CREATE PROCEDURE sys.sp_tables
    @table_name nvarchar(384) = NULL, @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
    @table_type varchar(100) = NULL, @fUsePattern bit = 1
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS TABLE_OWNER,
    CAST(o.name AS nvarchar(128)) AS TABLE_NAME, CAST(k.word AS varchar(32)) AS TABLE_TYPE, CAST(NULL AS varchar(254)) AS REMARKS
FROM sys.all_objects AS o JOIN (VALUES ('U', 'TABLE'), ('S', 'SYSTEM TABLE'), ('V', 'VIEW')) AS k (type, word) ON k.type = o.type
WHERE (@table_name IS NULL OR @fUsePattern = 1 AND o.name LIKE @table_name OR o.name = @table_name)
    AND (@table_owner IS NULL OR @fUsePattern = 1 AND SCHEMA_NAME(o.schema_id) LIKE @table_owner OR SCHEMA_NAME(o.schema_id) = @table_owner)
    AND (@table_type IS NULL OR CHARINDEX('''' + k.word + '''', UPPER(@table_type)) > 0)
ORDER BY TABLE_TYPE, TABLE_OWNER, TABLE_NAME
