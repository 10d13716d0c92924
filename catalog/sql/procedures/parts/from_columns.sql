-- Of sp_columns_90 and sp_columns_100: what their rows are of, and which of them are asked for.
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
