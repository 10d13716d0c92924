-- sys.table_types: table types of the current database.
-- column: name sysname not null
-- column: system_type_id tinyint not null
-- column: user_type_id int not null
-- column: schema_id int not null
-- column: principal_id int
-- column: max_length smallint not null
-- column: precision tinyint not null
-- column: scale tinyint not null
-- column: collation_name sysname
-- column: is_nullable bit
-- column: is_user_defined bit not null
-- column: is_assembly_type bit not null
-- column: default_object_id int not null
-- column: rule_object_id int not null
-- column: is_table_type bit not null
-- column: type_table_object_id int not null
-- column: is_memory_optimized bit
SELECT name, system_type_id, user_type_id, schema_id, NULL AS principal_id, max_length, precision, scale, collation_name,
    is_nullable, is_user_defined, false AS is_assembly_type, 0 AS default_object_id, 0 AS rule_object_id, is_table_type,
    table_id AS type_table_object_id, false AS is_memory_optimized
FROM catalog_types WHERE database_id = $database_id AND is_table_type
