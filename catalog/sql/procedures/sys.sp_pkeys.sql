-- sp_pkeys: the columns of a table's primary key.
CREATE PROCEDURE sys.sp_pkeys @table_name sysname, @table_owner sysname = NULL, @table_qualifier sysname = NULL
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS TABLE_OWNER, t.name AS TABLE_NAME,
    c.name AS COLUMN_NAME, CAST(k.key_ordinal AS smallint) AS KEY_SEQ, i.name AS PK_NAME
FROM sys.tables AS t
JOIN sys.indexes AS i ON i.object_id = t.object_id AND i.is_primary_key = 1
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE t.name = @table_name AND (@table_owner IS NULL OR SCHEMA_NAME(t.schema_id) = @table_owner)
ORDER BY TABLE_OWNER, k.key_ordinal
