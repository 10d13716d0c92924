-- sys.computed_columns: computed columns of the current database.
-- column: object_id int not null
-- column: name sysname
-- column: column_id int not null
-- column: system_type_id tinyint not null
-- column: user_type_id int not null
-- column: max_length smallint not null
-- column: precision tinyint not null
-- column: scale tinyint not null
-- column: collation_name sysname
-- column: is_nullable bit
-- column: is_identity bit not null
-- column: is_computed bit not null
-- column: definition nvarchar(max)
-- column: uses_database_collation bit not null
-- column: is_persisted bit not null
SELECT object_id, name, column_id, system_type_id, user_type_id, max_length, precision, scale, collation_name, is_nullable,
    false AS is_identity, true AS is_computed, computed AS definition, true AS uses_database_collation, is_persisted
FROM catalog_columns WHERE database_id = $database_id AND computed IS NOT NULL
