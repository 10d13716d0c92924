-- sys.symmetric_keys: symmetric keys of the current database, its master key, and in master the service master key.
-- column: name sysname not null
-- column: principal_id int
-- column: symmetric_key_id int not null
-- column: key_length int not null
-- column: key_algorithm char(2) not null
-- column: algorithm_desc nvarchar(60)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: key_guid uniqueidentifier
SELECT name, principal_id, id AS symmetric_key_id, CAST(right(algorithm, 3) AS INTEGER) AS key_length,
    CASE algorithm WHEN 'AES_128' THEN 'A1' WHEN 'AES_192' THEN 'A2' ELSE 'A3' END AS key_algorithm, algorithm AS algorithm_desc,
    sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date, key_guid
FROM catalog_symmetric_keys WHERE database_id = $database_id
