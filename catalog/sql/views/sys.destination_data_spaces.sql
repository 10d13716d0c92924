-- sys.destination_data_spaces: the filegroup of every partition of a scheme, and the one that is used next.
-- column: partition_scheme_id int not null
-- column: destination_id int not null
-- column: data_space_id int not null
SELECT p.id AS partition_scheme_id, p.destination_id, coalesce(f.data_space_id, 1) AS data_space_id
FROM catalog_partition_places p
LEFT JOIN catalog_filegroups f ON f.database_id = p.database_id AND lower(f.name) = lower(p.name)
WHERE p.database_id = $database_id
