-- sys.system_sql_modules: the system's procedures that are T-SQL; the others have no text.
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
SELECT object_id, definition, true AS uses_ansi_nulls, true AS uses_quoted_identifier, false AS is_schema_bound,
    false AS uses_database_collation, false AS is_recompiled, false AS null_on_null_input, NULL AS execute_as_principal_id,
    false AS uses_native_compilation, false AS inline_type, false AS is_inlineable
FROM live_system_modules
