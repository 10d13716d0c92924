-- queue.contents: what SELECT from the queue $queue_id shows, in queuing order. message_enqueue_time is UTC.
-- Names are looked up when they are read: what was dropped meanwhile has none. And the conversation group is the endpoint's: MOVE CONVERSATION moves messages.
-- column: status tinyint not null
-- column: priority tinyint not null
-- column: queuing_order bigint not null
-- column: conversation_group_id uniqueidentifier not null
-- column: conversation_handle uniqueidentifier not null
-- column: message_sequence_number bigint not null
-- column: service_name nvarchar(512) collate Latin1_General_BIN
-- column: service_id int not null
-- column: service_contract_name nvarchar(256) collate Latin1_General_BIN
-- column: service_contract_id int
-- column: message_type_name nvarchar(256) collate Latin1_General_BIN
-- column: message_type_id int not null
-- column: validation nchar(2) not null
-- column: message_body varbinary(max)
-- column: message_id uniqueidentifier not null
-- column: message_enqueue_time datetime
SELECT m.status, m.priority, m.queuing_order,
    coalesce(e.conversation_group_id, '00000000-0000-0000-0000-000000000000'::UUID) AS conversation_group_id,
    m.conversation_handle, m.message_sequence_number, s.name AS service_name, m.service_id,
    c.name AS service_contract_name, m.contract_id AS service_contract_id, t.name AS message_type_name, m.message_type_id, m.validation,
    m.message_body, m.message_id, sbql.at(m.message_enqueue_time) AS message_enqueue_time
FROM broker_messages m
LEFT JOIN broker_conversation_endpoints e ON e.conversation_handle = m.conversation_handle AND e.database_id = m.database_id
LEFT JOIN catalog_services s ON s.database_id = m.database_id AND s.id = m.service_id
LEFT JOIN catalog_contracts c ON c.database_id = m.database_id AND c.id = m.contract_id
LEFT JOIN catalog_message_types t ON t.database_id = m.database_id AND t.id = m.message_type_id
WHERE m.queue_id = $queue_id
ORDER BY m.queuing_order
