-- sys.service_queues: queues of the current database. is_receive_enabled and is_enqueue_enabled are both STATUS.
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
-- column: max_readers smallint
-- column: activation_procedure nvarchar(776)
-- column: execute_as_principal_id int
-- column: is_activation_enabled bit not null
-- column: is_receive_enabled bit not null
-- column: is_enqueue_enabled bit not null
-- column: is_retention_enabled bit not null
-- column: is_poison_message_handling_enabled bit
SELECT name, id AS object_id, principal_id, schema_id, 0 AS parent_object_id, 'SQ' AS type,
    'SERVICE_QUEUE' AS type_desc, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date, is_ms_shipped,
    false AS is_published, false AS is_schema_published, coalesce(max_readers, 0) AS max_readers, activation_procedure,
    execute_as_principal_id, is_activation_enabled, is_enabled AS is_receive_enabled, is_enabled AS is_enqueue_enabled,
    is_retention_enabled, is_poison_message_handling_enabled
FROM catalog_queues WHERE database_id = $database_id
