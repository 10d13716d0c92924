-- sys.allocation_units: one for every partition. Differs: page counts are zero.
-- column: allocation_unit_id bigint not null
-- column: type tinyint not null
-- column: type_desc nvarchar(60)
-- column: container_id bigint not null
-- column: data_space_id int
-- column: total_pages bigint not null
-- column: used_pages bigint not null
-- column: data_pages bigint not null
SELECT DISTINCT 72057594038000000 + object_id::BIGINT * 256 + index_id AS allocation_unit_id, 1 AS type, 'IN_ROW_DATA' AS type_desc,
    72057594037927936 + object_id::BIGINT * 256 + index_id AS container_id, 1 AS data_space_id, 0 AS total_pages, 0 AS used_pages,
    0 AS data_pages
FROM catalog_indexes WHERE database_id = $database_id
