-- sp_columns: the columns of tables and views, by pattern.
CREATE PROCEDURE sys.sp_columns
    @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL,
    @column_name nvarchar(384) = NULL, @ODBCVer int = 2
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
-- part: columns_of_tables
    CAST(IIF(c.is_nullable = 1, t.NULLABLE_SS_DATA_TYPE, t.SS_DATA_TYPE) AS tinyint) AS SS_DATA_TYPE
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY object_id ORDER BY column_id) AS ordinal FROM sys.all_columns) AS c
JOIN sys.all_objects AS o ON o.object_id = c.object_id AND o.type IN ('U', 'V', 'S', 'IF', 'TF')
JOIN sys.types AS b ON b.user_type_id = c.system_type_id JOIN sys.spt_datatype_info AS t ON t.TYPE_NAME = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = c.user_type_id AND u.user_type_id <> u.system_type_id
LEFT JOIN sys.default_constraints AS d ON d.object_id = c.default_object_id
WHERE o.name LIKE @table_name AND (@table_owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @table_owner)
    AND (@column_name IS NULL OR c.name LIKE @column_name)
ORDER BY TABLE_OWNER, TABLE_NAME, ORDINAL_POSITION
