-- sys.stats: statistics of the current database: those that come with an index.
-- column: object_id int not null
-- column: name nvarchar(128)
-- column: stats_id int not null
-- column: auto_created bit
-- column: user_created bit
-- column: no_recompute bit
-- column: has_filter bit
-- column: filter_definition nvarchar(max)
-- column: is_temporary bit
-- column: is_incremental bit
-- column: has_persisted_sample bit
-- column: stats_generation_method int
-- column: stats_generation_method_desc varchar(80)
-- column: auto_drop bit
SELECT DISTINCT object_id, name, index_id AS stats_id, false AS auto_created, false AS user_created, false AS no_recompute,
    filter_definition IS NOT NULL AS has_filter, filter_definition, false AS is_temporary, false AS is_incremental,
    false AS has_persisted_sample, 0 AS stats_generation_method, 'Sort based statistics' AS stats_generation_method_desc,
    false AS auto_drop
FROM catalog_indexes WHERE database_id = $database_id AND index_id > 0
