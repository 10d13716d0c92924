-- sys.monolog_subscribers: whom the monologs of the current database serve (sbql's own view, see docs/monologs.md).
-- conversation_handle is the publisher's. waiting_messages stand in sys.transmission_queue; state DO: so does the end; DI: it comes
-- after a transaction that is open.
-- column: conversation_handle uniqueidentifier not null
-- column: conversation_id uniqueidentifier not null
-- column: far_service nvarchar(256) collate Latin1_General_BIN not null
-- column: far_broker_instance nvarchar(128)
-- column: state char(2) not null
-- column: state_desc nvarchar(60)
-- column: start_sequence bigint not null
-- column: waiting_messages bigint not null
-- column: transmission_status nvarchar(4000)
SELECT m.publisher_handle AS conversation_handle, m.monolog_id AS conversation_id, e.far_service,
    upper(e.far_broker_instance::VARCHAR) AS far_broker_instance, e.state,
    CASE e.state WHEN 'CO' THEN 'CONVERSING' WHEN 'DI' THEN 'DISCONNECTED_INBOUND' WHEN 'DO' THEN 'DISCONNECTED_OUTBOUND' WHEN 'CD' THEN 'CLOSED' END AS state_desc,
    m.start_sequence, coalesce(t.messages, 0) AS waiting_messages, e.transmission_status
FROM broker_monolog_members m
JOIN broker_conversation_endpoints e USING (conversation_handle, database_id)
LEFT JOIN (
    SELECT conversation_handle, database_id, count(*) AS messages FROM broker_transmission_queue GROUP BY ALL
) t USING (conversation_handle, database_id)
WHERE m.role = 'L' AND database_id = $database_id
