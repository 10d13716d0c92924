-- Of sp_sproc_columns and its younger forms: the parameters p of the objects o, and what a procedure returns.
FROM (SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output, is_nullable, xml_collection_id
        FROM sys.parameters
    UNION ALL SELECT object_id, '@RETURN_VALUE', 0, 56, 56, 4, 10, 0, 1, 0, 0 FROM sys.procedures) AS p
JOIN sys.objects AS o ON o.object_id = p.object_id
