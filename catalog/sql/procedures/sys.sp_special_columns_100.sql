-- sp_special_columns_100: sp_special_columns with the types of SQL Server 2008.
CREATE PROCEDURE sys.sp_special_columns_100
    @table_name sysname, @table_owner sysname = NULL, @qualifier sysname = NULL, @col_type char(1) = 'R',
    @scope char(1) = 'T', @nullable char(1) = 'U', @ODBCVer int = 2
AS
IF @qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(1 AS smallint) AS SCOPE, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME,
    CAST(CASE WHEN b.name IN ('datetime', 'smalldatetime', 'datetime2') THEN IIF(@ODBCVer >= 3, 93, 11) WHEN b.name = 'date' THEN IIF(@ODBCVer >= 3, 91, 9)
        WHEN b.name = 'time' THEN -154 WHEN b.name = 'datetimeoffset' THEN -155 ELSE t.DATA_TYPE END AS smallint) AS DATA_TYPE,
    CAST(b.name + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME,
    CASE WHEN t.unit IS NOT NULL THEN IIF(c.max_length = -1, 0, c.max_length / t.unit) ELSE ISNULL(t.fixed_precision, c.precision) END AS [PRECISION],
    CASE b.name WHEN 'date' THEN 6 WHEN 'time' THEN 12 WHEN 'datetime2' THEN 16 WHEN 'datetimeoffset' THEN 20
        ELSE COALESCE(t.fixed_length, t.length_a_digit * c.precision + t.length_more, IIF(c.max_length = -1, 0, c.max_length)) END AS [LENGTH],
    CAST(IIF(t.has_scale = 1, c.scale, NULL) AS smallint) AS SCALE, CAST(1 AS smallint) AS PSEUDO_COLUMN
FROM sys.columns AS c JOIN sys.objects AS o ON o.object_id = c.object_id AND o.type = 'U'
JOIN sys.types AS b ON b.user_type_id = c.system_type_id JOIN sys.spt_datatype_info AS t ON t.TYPE_NAME = b.name
WHERE o.name = @table_name AND (@table_owner IS NULL OR SCHEMA_NAME(o.schema_id) = @table_owner)
    AND (@col_type = 'V' AND t.TYPE_NAME = 'timestamp' OR ISNULL(@col_type, 'R') = 'R' AND EXISTS (
        SELECT * FROM sys.index_columns AS k WHERE k.object_id = o.object_id AND k.column_id = c.column_id AND k.key_ordinal > 0
            AND k.index_id = (SELECT TOP (1) i.index_id FROM sys.indexes AS i
                WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.has_filter = 0 AND (ISNULL(@nullable, 'U') = 'U' OR NOT EXISTS (
                    SELECT * FROM sys.index_columns AS n JOIN sys.columns AS nc ON nc.object_id = n.object_id AND nc.column_id = n.column_id
                    WHERE n.object_id = i.object_id AND n.index_id = i.index_id AND nc.is_nullable = 1))
                ORDER BY i.is_primary_key DESC, i.index_id)))
ORDER BY c.column_id
