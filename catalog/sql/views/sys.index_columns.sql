-- sys.index_columns: columns of indexes and keys of the current database.
-- column: object_id int not null
-- column: index_id int not null
-- column: index_column_id int not null
-- column: column_id int not null
-- column: key_ordinal tinyint not null
-- column: partition_ordinal tinyint not null
-- column: is_descending_key bit
-- column: is_included_column bit
-- column: column_store_order_ordinal tinyint not null
-- column: data_clustering_ordinal tinyint not null
SELECT i.object_id, i.index_id,
    row_number() OVER (PARTITION BY i.object_id, i.index_id ORDER BY i.ordinal = 0, i.is_included, i.ordinal) AS index_column_id,
    c.column_id, i.ordinal AS key_ordinal, coalesce(CAST(lower(i.column_name) = lower(i.partition_column) AS INTEGER), 0) AS partition_ordinal, i.is_descending AS is_descending_key,
    i.is_included AS is_included_column, 0 AS column_store_order_ordinal, 0 AS data_clustering_ordinal
FROM catalog_indexes i
JOIN catalog_columns c ON c.database_id = i.database_id AND c.object_id = i.object_id AND lower(c.name) = lower(i.column_name)
WHERE i.database_id = $database_id
