-- sys.all_sql_modules: sys.sql_modules and sys.system_sql_modules together.
-- column: object_id int not null
-- column: definition nvarchar(max)
-- column: uses_ansi_nulls bit
-- column: uses_quoted_identifier bit
-- column: is_schema_bound bit
-- column: uses_database_collation bit
-- column: is_recompiled bit
-- column: null_on_null_input bit
-- column: execute_as_principal_id int
-- column: uses_native_compilation bit
-- column: inline_type bit
-- column: is_inlineable bit
SELECT m.id AS object_id, m.definition, m.uses_ansi_nulls, m.uses_quoted_identifier, coalesce(x.is_schema_bound,
    false) AS is_schema_bound, false AS uses_database_collation, coalesce(x.is_recompiled, false) AS is_recompiled,
    coalesce(x.null_on_null_input, false) AS null_on_null_input, m.execute_as_principal_id, false AS uses_native_compilation,
    false AS inline_type, false AS is_inlineable
FROM catalog_modules m LEFT JOIN live_module_facts x ON x.database_id = m.database_id AND x.id = m.id
WHERE m.database_id = $database_id AND m.scope <> 'SERVER'
UNION ALL
SELECT object_id, definition, true, true, false, false, false, false, NULL, false, false, false FROM live_system_modules
