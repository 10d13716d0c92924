-- Of sp_special_columns and sp_special_columns_100: which columns these are.
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
