-- sys.monolog_messages: what the monologs of the current database retain (sbql's own view, see docs/monologs.md). Times are UTC.
-- Only members of db_owner see rows, as in sys.transmission_queue.
-- column: conversation_handle uniqueidentifier not null
-- column: message_sequence_number bigint not null
-- column: message_type_name nvarchar(256) collate Latin1_General_BIN not null
-- column: message_body varbinary(max)
-- column: message_id uniqueidentifier not null
-- column: enqueue_time datetime not null
SELECT conversation_handle, message_sequence_number, message_type_name, message_body, message_id,
    sbql.at(enqueue_time) AS enqueue_time
FROM broker_monolog_messages
WHERE database_id = $database_id AND (SELECT bool_or(is_owner) FROM live_rights WHERE database_id = $database_id) ORDER BY message_key
