-- sys.dm_db_partition_stats: row counts of tables, indexes and queues. Differs: page counts are zero.
-- column: partition_id bigint
-- column: object_id int not null
-- column: index_id int not null
-- column: partition_number int not null
-- column: in_row_data_page_count bigint
-- column: in_row_used_page_count bigint
-- column: in_row_reserved_page_count bigint
-- column: lob_used_page_count bigint
-- column: lob_reserved_page_count bigint
-- column: row_overflow_used_page_count bigint
-- column: row_overflow_reserved_page_count bigint
-- column: used_page_count bigint
-- column: reserved_page_count bigint
-- column: row_count bigint
WITH parts AS (
    SELECT DISTINCT t.id AS object_id, i.index_id, r.rows
    FROM catalog_tables t JOIN catalog_indexes i ON i.database_id = t.database_id AND i.object_id = t.id
    LEFT JOIN live_table_rows r ON r.database_id = t.database_id AND r.object_id = t.id
    WHERE t.database_id = $database_id
    UNION ALL
    SELECT o.object_id, 1, (SELECT count(*) FROM broker_messages m WHERE m.queue_id = o.parent_object_id)
    FROM catalog_objects o WHERE o.database_id = $database_id AND o.type = 'IT')
SELECT 72057594037927936 + object_id::BIGINT * 256 + index_id AS partition_id, object_id, index_id, 1 AS partition_number,
    0 AS in_row_data_page_count, 0 AS in_row_used_page_count, 0 AS in_row_reserved_page_count, 0 AS lob_used_page_count,
    0 AS lob_reserved_page_count, 0 AS row_overflow_used_page_count, 0 AS row_overflow_reserved_page_count,
    0 AS used_page_count, 0 AS reserved_page_count, coalesce(rows, 0) AS row_count
FROM parts
