-- sys.partition_parameters: the parameter of every partition function.
-- column: function_id int not null
-- column: parameter_id int not null
-- column: system_type_id tinyint not null
-- column: max_length smallint not null
-- column: precision tinyint not null
-- column: scale tinyint not null
-- column: collation_name sysname
-- column: user_type_id int not null
SELECT id AS function_id, 1 AS parameter_id, system_type_id, max_length, precision, scale, collation_name, user_type_id
FROM catalog_partition_functions WHERE database_id = $database_id
