-- sys.symmetric_keys: the master key of the current database, if it has one.
-- column: name sysname not null
-- column: principal_id int
-- column: symmetric_key_id int not null
-- column: key_length int not null
-- column: key_algorithm char(2) not null
-- column: algorithm_desc nvarchar(60)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: key_guid uniqueidentifier
SELECT '##MS_DatabaseMasterKey##' AS name, 1 AS principal_id, 101 AS symmetric_key_id, 256 AS key_length, 'A3' AS key_algorithm,
    'AES_256' AS algorithm_desc, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date, NULL AS key_guid
FROM catalog_master_keys WHERE database_id = $database_id
