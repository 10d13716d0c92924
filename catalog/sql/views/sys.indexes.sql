-- sys.indexes: indexes and keys of the current database; a table without a clustered one has a row of type HEAP.
-- column: object_id int not null
-- column: name sysname
-- column: index_id int not null
-- column: type tinyint not null
-- column: type_desc nvarchar(60)
-- column: is_unique bit
-- column: data_space_id int
-- column: ignore_dup_key bit
-- column: is_primary_key bit
-- column: is_unique_constraint bit
-- column: fill_factor tinyint not null
-- column: is_padded bit
-- column: is_disabled bit
-- column: is_hypothetical bit
-- column: is_ignored_in_optimization bit
-- column: allow_row_locks bit
-- column: allow_page_locks bit
-- column: has_filter bit
-- column: filter_definition nvarchar(max)
-- column: compression_delay int
-- column: suppress_dup_key_messages bit
-- column: auto_created bit
-- column: optimize_for_sequential_key bit
SELECT DISTINCT i.object_id, i.name, i.index_id, i.type,
    CASE i.type WHEN 0 THEN 'HEAP' WHEN 1 THEN 'CLUSTERED' WHEN 3 THEN 'XML' WHEN 5 THEN 'CLUSTERED COLUMNSTORE'
        WHEN 6 THEN 'NONCLUSTERED COLUMNSTORE' ELSE 'NONCLUSTERED' END AS type_desc, is_unique, coalesce(s.id, 1) AS data_space_id,
    ignores_duplicates AS ignore_dup_key, is_primary_key, is_unique_constraint, 0 AS fill_factor, false AS is_padded, is_disabled,
    false AS is_hypothetical, false AS is_ignored_in_optimization, true AS allow_row_locks, true AS allow_page_locks,
    filter_definition IS NOT NULL AS has_filter, filter_definition, NULL AS compression_delay,
    false AS suppress_dup_key_messages, false AS auto_created, false AS optimize_for_sequential_key
FROM catalog_indexes i
LEFT JOIN catalog_partition_schemes s ON s.database_id = i.database_id AND lower(s.name) = lower(i.scheme_name)
WHERE i.database_id = $database_id
