-- sys.dm_broker_forwarded_messages: frames of dialogs between other instances that wait for a way.
-- column: conversation_id uniqueidentifier
-- column: is_initiator bit
-- column: to_service_name nvarchar(512)
-- column: to_broker_instance nvarchar(512)
-- column: from_service_name nvarchar(512)
-- column: from_broker_instance nvarchar(512)
-- column: adjacent_broker_address nvarchar(512)
-- column: message_sequence_number bigint
-- column: message_fragment_number int
-- column: hops_remaining tinyint
-- column: time_to_live int
-- column: time_consumed int
-- column: message_id uniqueidentifier
SELECT conversation_id, is_initiator, to_service_name, to_broker_instance, from_service_name, from_broker_instance, adjacent_broker_address,
    message_sequence_number, message_fragment_number, hops_remaining, time_to_live, time_consumed, message_id
FROM live_forwarded_messages
