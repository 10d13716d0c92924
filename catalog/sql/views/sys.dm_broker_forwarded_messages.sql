-- sys.dm_broker_forwarded_messages: empty: nothing is being forwarded.
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
SELECT NULL AS conversation_id, NULL AS is_initiator, NULL AS to_service_name, NULL AS to_broker_instance, NULL AS
    from_service_name, NULL AS from_broker_instance, NULL AS adjacent_broker_address, NULL AS
    message_sequence_number, NULL AS message_fragment_number, NULL AS hops_remaining, NULL AS time_to_live, NULL AS
    time_consumed, NULL AS message_id
WHERE false
