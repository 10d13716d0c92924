-- sys.stats_columns: key columns of the statistics of the current database.
-- column: object_id int not null
-- column: stats_id int not null
-- column: stats_column_id int
-- column: column_id int
SELECT i.object_id, i.index_id AS stats_id, i.ordinal AS stats_column_id, c.column_id
FROM catalog_indexes i
JOIN catalog_columns c ON c.database_id = i.database_id AND c.object_id = i.object_id AND lower(c.name) = lower(i.column_name)
WHERE i.database_id = $database_id AND i.ordinal > 0
