-- sys.partition_functions: the partition functions of the current database.
-- column: name sysname not null
-- column: function_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: fanout int not null
-- column: boundary_value_on_right bit not null
-- column: is_system bit not null
-- column: create_date datetime not null
-- column: modify_date datetime not null
SELECT name, id AS function_id, 'R' AS type, 'RANGE' AS type_desc, fanout, is_right AS boundary_value_on_right, false AS is_system,
    sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date
FROM catalog_partition_functions WHERE database_id = $database_id
