-- sys.transmission_queue: messages that wait for delivery, in the order in which they were sent. enqueue_time is UTC.
-- What waits for a subscriber of a monolog stands under the publisher's handle.
-- What has come from another instance for a queue that is OFF stands here with the names of the sender, under the handle of the endpoint that it is for.
-- An error of the broker (bit 16 of the status), too; what is kept for an endpoint of a database that takes no part does not show: nothing of that database changes until it takes part again.
-- transmission_status is that of the conversation; empty: not tried yet, or sent and waiting for the acknowledgement. Only members of
-- db_owner see rows; that is the engine's to decide.
-- column: conversation_handle uniqueidentifier not null
-- column: to_service_name nvarchar(256) collate Latin1_General_BIN
-- column: to_broker_instance nvarchar(128)
-- column: from_service_name nvarchar(256) collate Latin1_General_BIN
-- column: service_contract_name nvarchar(256) collate Latin1_General_BIN
-- column: enqueue_time datetime not null
-- column: message_sequence_number bigint not null
-- column: message_type_name nvarchar(256) collate Latin1_General_BIN
-- column: is_conversation_error bit not null
-- column: is_end_of_dialog bit not null
-- column: message_body varbinary(max)
-- column: transmission_status nvarchar(4000)
-- column: priority tinyint not null
SELECT coalesce(m.publisher_handle, t.conversation_handle) AS conversation_handle, to_service_name, to_broker_instance, from_service_name,
    service_contract_name, sbql.at(enqueue_time) AS enqueue_time, CASE WHEN (t.status & 16) <> 0 THEN 0 ELSE message_sequence_number END AS message_sequence_number, message_type_name,
    (t.status & 2) <> 0 AS is_conversation_error, (t.status & 4) <> 0 AS is_end_of_dialog, message_body,
    CASE WHEN (t.status & 8) <> 0 THEN t.transmission_status ELSE coalesce(e.transmission_status, t.transmission_status) END AS transmission_status,
    t.priority
FROM broker_transmission_queue t
LEFT JOIN broker_monolog_members m ON m.conversation_handle = t.conversation_handle AND m.database_id = t.database_id
LEFT JOIN broker_conversation_endpoints e ON e.conversation_handle = t.conversation_handle AND e.database_id = t.database_id
WHERE t.database_id = $database_id AND ((t.status & 16) = 0 OR e.state = 'ER') AND (SELECT bool_or(is_owner) FROM live_rights WHERE database_id = $database_id) ORDER BY message_key
