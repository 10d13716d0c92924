-- Queries of monitoring scripts over all views of the broker at once, in the shapes that people publish.
CREATE DATABASE Watched
GO
USE Watched
GO
CREATE SCHEMA app
GO
CREATE PROCEDURE app.Reader AS WAITFOR (RECEIVE TOP (1) * FROM app.InQ WHERE conversation_handle = '00000000-0000-0000-0000-000000000000'), TIMEOUT 1
GO
CREATE PROCEDURE app.Slow AS BEGIN TRAN; DECLARE @x varbinary(max); RECEIVE TOP (1) @x = message_body FROM app.InQ; WAITFOR DELAY '00:00:20'; COMMIT
GO
CREATE MESSAGE TYPE [urn:watched:m] VALIDATION = NONE
CREATE CONTRACT [urn:watched:c] ([urn:watched:m] SENT BY ANY)
CREATE QUEUE app.InQ WITH RETENTION = ON, ACTIVATION (STATUS = ON, PROCEDURE_NAME = app.Slow, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)
CREATE QUEUE app.OutQ WITH STATUS = OFF
CREATE SERVICE [urn:watched:in] ON QUEUE app.InQ ([urn:watched:c])
CREATE SERVICE [urn:watched:out] ON QUEUE app.OutQ ([urn:watched:c], [DEFAULT])
CREATE ROUTE [urn:watched:route] WITH SERVICE_NAME = 'urn:far', BROKER_INSTANCE = 'd8d4d268-00a3-4c62-8f91-634b89c1e317', ADDRESS = 'TCP://far.example:4022', LIFETIME = 3600
GO
DECLARE @h UNIQUEIDENTIFIER
BEGIN DIALOG @h FROM SERVICE [urn:watched:out] TO SERVICE 'urn:watched:in' ON CONTRACT [urn:watched:c] WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h MESSAGE TYPE [urn:watched:m] (N'one')
;SEND ON CONVERSATION @h MESSAGE TYPE [urn:watched:m] (N'two')
BEGIN DIALOG @h FROM SERVICE [urn:watched:in] TO SERVICE 'urn:watched:out' ON CONTRACT [urn:watched:c] WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h MESSAGE TYPE [urn:watched:m] (N'to a queue that is off')
BEGIN DIALOG @h FROM SERVICE [urn:watched:in] TO SERVICE 'urn:far' ON CONTRACT [urn:watched:c] WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h MESSAGE TYPE [urn:watched:m] (N'to nowhere')
GO
--! settle
-- Who is activated on what.
SELECT DB_NAME(t.database_id) AS db, SCHEMA_NAME(q.schema_id) + '.' + q.name AS que, t.procedure_name, t.execute_as, m.state, m.tasks_waiting
FROM sys.dm_broker_activated_tasks t
JOIN sys.service_queues q ON q.object_id = t.queue_id
JOIN sys.dm_broker_queue_monitors m ON m.queue_id = q.object_id AND m.database_id = DB_ID()
JOIN sys.dm_exec_sessions s ON s.session_id = t.spid AND s.is_user_process = 0
GO
--! rows
--! Watched | app.InQ | [Watched].[app].[Slow] | 1 | RECEIVES_OCCURRING | 0
-- The life of each message in one list.
;WITH everything AS (
    SELECT 'in queue' AS place, q.service_name, q.message_type_name, CAST(q.message_body AS NVARCHAR(100)) AS body, q.status FROM app.InQ q WITH (NOLOCK)
    UNION ALL
    SELECT 'in transit', t.to_service_name, t.message_type_name, CAST(t.message_body AS NVARCHAR(100)), NULL FROM sys.transmission_queue t
)
SELECT place, service_name, body, CASE status WHEN 0 THEN 'received' WHEN 1 THEN 'ready' WHEN 3 THEN 'sent' END AS status FROM everything ORDER BY place, body
GO
--! rows
--! in queue | urn:watched:in | one | ready
--! in queue | urn:watched:in | to a queue that is off | sent
--! in queue | urn:watched:in | to nowhere | sent
--! in queue | urn:watched:in | two | ready
--! in transit | urn:watched:out | to a queue that is off | NULL
--! in transit | urn:far | to nowhere | NULL
SELECT s.name AS [Service], sq.name AS [Queue], c.name AS [Contract], mt.name AS [MessageType], mt.validation_desc,
    CASE WHEN cmu.is_sent_by_initiator = 1 AND cmu.is_sent_by_target = 1 THEN 'ANY' WHEN cmu.is_sent_by_initiator = 1 THEN 'INITIATOR' ELSE 'TARGET' END AS [Sent by],
    sq.activation_procedure, sq.max_readers, sq.is_retention_enabled, sq.is_enqueue_enabled
FROM sys.services s
    LEFT OUTER JOIN sys.service_contract_usages scu ON s.service_id = scu.service_id
    LEFT OUTER JOIN sys.service_contracts c ON scu.service_contract_id = c.service_contract_id
    LEFT OUTER JOIN sys.service_contract_message_usages cmu ON c.service_contract_id = cmu.service_contract_id
    LEFT OUTER JOIN sys.service_message_types mt ON cmu.message_type_id = mt.message_type_id
    INNER JOIN sys.service_queue_usages squ ON s.service_id = squ.service_id
    INNER JOIN sys.service_queues sq ON squ.service_queue_id = sq.object_id
WHERE sq.is_ms_shipped = 0
ORDER BY 1, 3, 4
GO
--! rows
--! urn:watched:in | InQ | urn:watched:c | urn:watched:m | BINARY | ANY | [Watched].[app].[Slow] | 2 | 1 | 1
--! urn:watched:out | OutQ | DEFAULT | DEFAULT | BINARY | ANY | NULL | 0 | 0 | 0
--! urn:watched:out | OutQ | urn:watched:c | urn:watched:m | BINARY | ANY | NULL | 0 | 0 | 0
SELECT ce.state_desc, s.name, ce.far_service, sc.name AS contract, p.name AS [owner], DATEDIFF(YEAR, GETUTCDATE(), ce.lifetime) AS years_left,
    (SELECT COUNT(*) FROM sys.transmission_queue t WHERE t.conversation_handle = ce.conversation_handle) AS unsent
FROM sys.conversation_endpoints ce
    JOIN sys.conversation_groups cg ON cg.conversation_group_id = ce.conversation_group_id
    JOIN sys.services s ON s.service_id = ce.service_id AND s.service_id = cg.service_id
    LEFT JOIN sys.service_contracts sc ON sc.service_contract_id = ce.service_contract_id
    LEFT JOIN sys.database_principals p ON p.principal_id = ce.principal_id
ORDER BY s.name, ce.far_service
GO
--! rows
--! CONVERSING | urn:watched:in | urn:far | urn:watched:c | dbo | 68 | 1
--! CONVERSING | urn:watched:in | urn:watched:out | urn:watched:c | dbo | 68 | 1
--! CONVERSING | urn:watched:in | urn:watched:out | urn:watched:c | dbo | 68 | 0
--! CONVERSING | urn:watched:out | urn:watched:in | urn:watched:c | dbo | 68 | 0
SELECT r.name, r.remote_service_name, r.broker_instance, r.address, r.mirror_address, DATEDIFF(second, GETUTCDATE(), r.lifetime) AS expires_in
FROM sys.routes r WHERE r.name LIKE 'urn%'
SELECT d.name, d.is_broker_enabled, COUNT(*) OVER (PARTITION BY d.service_broker_guid) AS same_guid FROM sys.databases d WHERE d.database_id = DB_ID()
SELECT COUNT(*) FROM sys.dm_os_performance_counters WHERE object_name LIKE '%Broker Statistics%' AND counter_name LIKE 'Enqueued Local Messages Total%'
SELECT o.name, o.type_desc, i.internal_type_desc FROM sys.internal_tables i JOIN sys.objects o ON o.object_id = i.parent_object_id WHERE o.schema_id = SCHEMA_ID('app') ORDER BY o.name
GO
--! rows
--! urn:watched:route | urn:far | d8d4d268-00a3-4c62-8f91-634b89c1e317 | TCP://far.example:4022 | NULL | 3600
--! rows
--! Watched | 1 | 1
--! rows
--! *
--! rows
--! InQ | SERVICE_QUEUE | QUEUE_MESSAGES
--! OutQ | SERVICE_QUEUE | QUEUE_MESSAGES
