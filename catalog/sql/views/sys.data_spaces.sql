-- sys.data_spaces: the filegroups and partition schemes of the current database.
-- column: name sysname not null
-- column: data_space_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: is_default bit
-- column: is_system bit
SELECT name, data_space_id, 'FG' AS type, 'ROWS_FILEGROUP' AS type_desc, data_space_id = 1 AS is_default, false AS is_system
FROM catalog_filegroups WHERE database_id = $database_id
UNION ALL
SELECT name, id, 'PS', 'PARTITION_SCHEME', false, false FROM catalog_partition_schemes WHERE database_id = $database_id
