-- sp_statistics: a table's number of rows, and its indexes, a column a row.
CREATE PROCEDURE sys.sp_statistics
    @table_name sysname, @table_owner sysname = NULL, @table_qualifier sysname = NULL, @index_name sysname = N'%',
    @is_unique char(1) = 'N', @accuracy char(1) = 'Q'
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS TABLE_OWNER, t.name AS TABLE_NAME,
    CAST(NULL AS smallint) AS NON_UNIQUE, CAST(NULL AS sysname) AS INDEX_QUALIFIER, CAST(NULL AS sysname) AS INDEX_NAME, CAST(0 AS smallint) AS TYPE,
    CAST(NULL AS smallint) AS SEQ_IN_INDEX, CAST(NULL AS sysname) AS COLUMN_NAME, CAST(NULL AS char(1)) AS COLLATION,
    CAST((SELECT SUM(p.rows) FROM sys.partitions AS p WHERE p.object_id = t.object_id AND p.index_id < 2) AS int) AS CARDINALITY,
    CAST(0 AS int) AS PAGES, CAST(NULL AS varchar(128)) AS FILTER_CONDITION
FROM sys.tables AS t WHERE t.name = @table_name AND (@table_owner IS NULL OR SCHEMA_NAME(t.schema_id) = @table_owner)
UNION ALL
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS TABLE_OWNER, t.name AS TABLE_NAME,
    CAST(CASE i.is_unique WHEN 1 THEN 0 ELSE 1 END AS smallint) AS NON_UNIQUE, t.name AS INDEX_QUALIFIER, i.name AS INDEX_NAME,
    CAST(CASE i.type WHEN 1 THEN 1 ELSE 3 END AS smallint) AS TYPE, CAST(k.key_ordinal AS smallint) AS SEQ_IN_INDEX, c.name AS COLUMN_NAME,
    CAST(CASE k.is_descending_key WHEN 1 THEN 'D' ELSE 'A' END AS char(1)) AS COLLATION, CAST(NULL AS int) AS CARDINALITY,
    CAST(NULL AS int) AS PAGES, CAST(i.filter_definition AS varchar(128)) AS FILTER_CONDITION
FROM sys.tables AS t
JOIN sys.indexes AS i ON i.object_id = t.object_id AND i.index_id > 0
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal > 0
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE t.name = @table_name AND (@table_owner IS NULL OR SCHEMA_NAME(t.schema_id) = @table_owner)
    AND (ISNULL(@is_unique, 'N') <> 'Y' OR i.is_unique = 1) AND (@index_name IS NULL OR i.name LIKE @index_name)
ORDER BY NON_UNIQUE, TYPE, INDEX_NAME, SEQ_IN_INDEX
