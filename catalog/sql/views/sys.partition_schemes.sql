-- sys.partition_schemes: the partition schemes of the current database.
-- column: name sysname not null
-- column: data_space_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: is_default bit
-- column: is_system bit
-- column: function_id int not null
SELECT name, id AS data_space_id, 'PS' AS type, 'PARTITION_SCHEME' AS type_desc, false AS is_default, false AS is_system, function_id
FROM catalog_partition_schemes WHERE database_id = $database_id
