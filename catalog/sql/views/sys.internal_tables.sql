-- sys.internal_tables: the internal table of every queue: queue_messages_<id>, its parent is the queue. sys.partitions knows its row count.
-- column: name sysname not null
-- column: object_id int not null
-- column: principal_id int
-- column: schema_id int not null
-- column: parent_object_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: is_ms_shipped bit not null
-- column: is_published bit not null
-- column: is_schema_published bit not null
-- column: internal_type tinyint
-- column: internal_type_desc nvarchar(60)
-- column: parent_id int
-- column: parent_minor_id int
-- column: lob_data_space_id int not null
-- column: filestream_data_space_id int
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped,
    false AS is_published, false AS is_schema_published,
    201 AS internal_type, 'QUEUE_MESSAGES' AS internal_type_desc, o.parent_object_id AS parent_id, 0 AS parent_minor_id,
    0 AS lob_data_space_id, NULL AS filestream_data_space_id
FROM catalog_objects o WHERE o.database_id = $database_id AND o.type = 'IT'
