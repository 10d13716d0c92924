-- sys.conversation_endpoints: dialog endpoints of the current database. Times are UTC; 1900-01-01 stands for a time that was never set.
-- The publisher's side of each subscriber of a monolog is not shown; all sides of a monolog have its conversation_id.
-- Differs: session keys and transaction ids are zero, and what belongs to fragments and out-of-order arrival is -1 or 0.
-- column: conversation_handle uniqueidentifier not null
-- column: conversation_id uniqueidentifier not null
-- column: is_initiator tinyint not null
-- column: service_contract_id int not null
-- column: conversation_group_id uniqueidentifier not null
-- column: service_id int not null
-- column: lifetime datetime not null
-- column: state char(2) not null
-- column: state_desc nvarchar(60)
-- column: far_service nvarchar(256) collate Latin1_General_BIN not null
-- column: far_broker_instance nvarchar(128)
-- column: principal_id int not null
-- column: far_principal_id int not null
-- column: outbound_session_key_identifier uniqueidentifier not null
-- column: inbound_session_key_identifier uniqueidentifier not null
-- column: security_timestamp datetime not null
-- column: dialog_timer datetime not null
-- column: send_sequence bigint not null
-- column: last_send_tran_id binary(6) not null
-- column: end_dialog_sequence bigint not null
-- column: receive_sequence bigint not null
-- column: receive_sequence_frag int not null
-- column: system_sequence bigint not null
-- column: first_out_of_order_sequence bigint not null
-- column: last_out_of_order_sequence bigint not null
-- column: last_out_of_order_frag int not null
-- column: is_system bit not null
-- column: priority tinyint not null
SELECT e.conversation_handle, coalesce(m.monolog_id, e.conversation_id) AS conversation_id, is_initiator, contract_id AS service_contract_id, conversation_group_id,
    service_id, sbql.at(lifetime) AS lifetime, state,
    CASE state WHEN 'SO' THEN 'STARTED_OUTBOUND' WHEN 'SI' THEN 'STARTED_INBOUND' WHEN 'CO' THEN 'CONVERSING'
        WHEN 'DI' THEN 'DISCONNECTED_INBOUND' WHEN 'DO' THEN 'DISCONNECTED_OUTBOUND' WHEN 'ER' THEN 'ERROR'
        WHEN 'CD' THEN 'CLOSED' END AS state_desc,
    far_service, upper(far_broker_instance::VARCHAR) AS far_broker_instance, principal_id, far_principal_id,
    coalesce(outbound_key_id, '00000000-0000-0000-0000-000000000000'::UUID) AS outbound_session_key_identifier,
    coalesce(inbound_key_id, '00000000-0000-0000-0000-000000000000'::UUID) AS inbound_session_key_identifier,
    sbql.at_or_1900(security_timestamp) AS security_timestamp, sbql.at_or_1900(dialog_timer) AS dialog_timer,
    send_sequence, '\x00\x00\x00\x00\x00\x00'::BLOB AS last_send_tran_id, end_dialog_sequence, receive_sequence,
    0 AS receive_sequence_frag, CAST(0 AS BIGINT) AS system_sequence, -1 AS first_out_of_order_sequence, -1 AS last_out_of_order_sequence,
    -1 AS last_out_of_order_frag, is_system, priority
FROM broker_conversation_endpoints e LEFT JOIN broker_monolog_members m USING (conversation_handle, database_id)
WHERE database_id = $database_id AND m.role IS DISTINCT FROM 'L'
