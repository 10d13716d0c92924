-- sys.partition_range_values: the boundaries of partition functions, in order.
-- column: function_id int not null
-- column: boundary_id int not null
-- column: parameter_id int not null
-- column: value sql_variant
SELECT id AS function_id, boundary_id, 1 AS parameter_id,
    CASE WHEN base IS NOT NULL THEN struct_pack(sort := sort, base := base, "text" := value_text) END AS value
FROM catalog_partition_values WHERE database_id = $database_id
