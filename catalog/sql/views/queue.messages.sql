-- queue.messages: base table: the internal table sys.queue_messages_<id> of the queue $queue_id, in the order of its clustered key.
-- Names stand in other tables. Differs: a message is one piece, so that the columns of fragments are 0 or NULL.
-- only the administrator's connection
-- column: status tinyint not null
-- column: priority tinyint not null
-- column: queuing_order bigint not null
-- column: conversation_group_id uniqueidentifier not null
-- column: conversation_handle uniqueidentifier not null
-- column: message_sequence_number bigint not null
-- column: message_id uniqueidentifier not null
-- column: message_type_id int not null
-- column: service_id int not null
-- column: service_contract_id int not null
-- column: validation nchar(2) not null
-- column: next_fragment int not null
-- column: fragment_size int not null
-- column: fragment_bitmap bigint not null
-- column: binary_message_body varbinary(max)
-- column: message_enqueue_time datetime
SELECT m.status, m.priority, m.queuing_order,
    coalesce(e.conversation_group_id, '00000000-0000-0000-0000-000000000000'::UUID) AS conversation_group_id,
    m.conversation_handle, m.message_sequence_number, m.message_id, m.message_type_id, m.service_id,
    m.contract_id AS service_contract_id, m.validation, 0 AS next_fragment, 0 AS fragment_size, 0 AS fragment_bitmap,
    m.message_body AS binary_message_body, sbql.at(m.message_enqueue_time) AS message_enqueue_time
FROM broker_messages m
LEFT JOIN broker_conversation_endpoints e ON e.conversation_handle = m.conversation_handle AND e.database_id = m.database_id
WHERE m.queue_id = $queue_id
ORDER BY m.status, conversation_group_id, m.priority, m.conversation_handle, m.queuing_order
