-- Of sp_sproc_columns and its younger forms: which parameters are asked for.
WHERE (@procedure_name IS NULL OR @fUsePattern = 1 AND o.name LIKE @procedure_name OR o.name = @procedure_name)
    AND (@procedure_owner IS NULL OR @fUsePattern = 1 AND SCHEMA_NAME(o.schema_id) LIKE @procedure_owner
        OR SCHEMA_NAME(o.schema_id) = @procedure_owner)
    AND (@column_name IS NULL OR @fUsePattern = 1 AND p.name LIKE @column_name OR p.name = @column_name)
ORDER BY PROCEDURE_OWNER, PROCEDURE_NAME, ORDINAL_POSITION
