-- sys.partitions: one partition for every table and index, every queue's internal table and the base tables of the
-- broker.
-- column: partition_id bigint not null
-- column: object_id int not null
-- column: index_id int not null
-- column: partition_number int not null
-- column: hobt_id bigint not null
-- column: rows bigint
-- column: filestream_filegroup_id smallint not null
-- column: data_compression tinyint not null
-- column: data_compression_desc nvarchar(60)
-- column: xml_compression bit
-- column: xml_compression_desc varchar(3)
WITH parts AS (
    SELECT DISTINCT t.id AS object_id, i.index_id, r.rows
    FROM catalog_tables t JOIN catalog_indexes i ON i.database_id = t.database_id AND i.object_id = t.id
    LEFT JOIN live_table_rows r ON r.database_id = t.database_id AND r.object_id = t.id
    WHERE t.database_id = $database_id
    UNION ALL
    SELECT o.object_id, 1, (SELECT count(*) FROM broker_messages m WHERE m.queue_id = o.parent_object_id)
    FROM catalog_objects o WHERE o.database_id = $database_id AND o.type = 'IT'
    UNION ALL
    SELECT 68, 1, (SELECT count(*) FROM broker_transmission_queue m WHERE m.database_id = $database_id)
    UNION ALL
    SELECT 71, 1, (SELECT count(*) FROM broker_conversation_groups m WHERE m.database_id = $database_id)
    UNION ALL
    SELECT unnest([72, 73]), 1, (SELECT count(*) FROM broker_conversation_endpoints m WHERE m.database_id = $database_id))
SELECT 72057594037927936 + object_id::BIGINT * 256 + index_id AS partition_id, object_id, index_id, 1 AS partition_number,
    72057594037927936 + object_id::BIGINT * 256 + index_id AS hobt_id, coalesce(rows, 0) AS rows, 0 AS filestream_filegroup_id,
    0 AS data_compression, 'NONE' AS data_compression_desc, false AS xml_compression, 'OFF' AS xml_compression_desc
FROM parts
