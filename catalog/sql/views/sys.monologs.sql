-- sys.monologs: the publishers' endpoints of the current database (sbql's own view, see docs/monologs.md). retention_period is in
-- seconds: 0 nothing is retained, NULL everything until the end. subscribers: those that it serves.
-- column: conversation_handle uniqueidentifier not null
-- column: conversation_id uniqueidentifier not null
-- column: service_id int not null
-- column: service_contract_id int not null
-- column: state char(2) not null
-- column: state_desc nvarchar(60)
-- column: send_sequence bigint not null
-- column: retention_period int
-- column: retained_messages bigint not null
-- column: first_retained_sequence bigint
-- column: subscribers bigint not null
SELECT e.conversation_handle, m.monolog_id AS conversation_id, e.service_id, e.contract_id AS service_contract_id, e.state,
    CASE e.state WHEN 'SO' THEN 'STARTED_OUTBOUND' WHEN 'CO' THEN 'CONVERSING' WHEN 'ER' THEN 'ERROR' END AS state_desc,
    e.send_sequence, CASE WHEN m.retention < 2147483648 THEN m.retention END AS retention_period,
    coalesce(r.messages, 0) AS retained_messages, r.first AS first_retained_sequence, coalesce(l.legs, 0) AS subscribers
FROM broker_monolog_members m
JOIN broker_conversation_endpoints e USING (conversation_handle, database_id)
LEFT JOIN (
    SELECT conversation_handle, database_id, count(*) AS messages, min(message_sequence_number) AS first
    FROM broker_monolog_messages GROUP BY ALL
) r USING (conversation_handle, database_id)
LEFT JOIN (
    SELECT publisher_handle AS conversation_handle, database_id, count(*) AS legs
    FROM broker_monolog_members WHERE role = 'L' GROUP BY ALL
) l USING (conversation_handle, database_id)
WHERE m.role = 'P' AND database_id = $database_id
