-- sys.sql_modules: definitions of procedures, views, functions and triggers of the current database.
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
SELECT id AS object_id, definition, true AS uses_ansi_nulls, uses_quoted_identifier, false AS is_schema_bound,
    false AS uses_database_collation, false AS is_recompiled, false AS null_on_null_input, execute_as_principal_id,
    false AS uses_native_compilation
FROM catalog_modules WHERE database_id = $database_id
