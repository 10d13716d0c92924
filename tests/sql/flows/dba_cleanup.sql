-- What a DBA keeps in a folder: who talks to whom, what is stuck and why, how many conversations of each state there are, and
-- loops that end them with and without CLEANUP.
CREATE DATABASE Leaky;
GO
ALTER DATABASE Leaky SET NEW_BROKER WITH ROLLBACK IMMEDIATE;
GO
USE Leaky;
CREATE QUEUE dbo.FromQ; CREATE QUEUE dbo.ToQ;
CREATE SERVICE FromSvc ON QUEUE dbo.FromQ;
CREATE SERVICE ToSvc ON QUEUE dbo.ToQ ([DEFAULT]);
GO
SET NOCOUNT ON;
DECLARE @i INT = 1, @h UNIQUEIDENTIFIER;
WHILE @i <= 12
BEGIN
    BEGIN DIALOG CONVERSATION @h FROM SERVICE FromSvc TO SERVICE 'ToSvc' WITH ENCRYPTION = OFF, LIFETIME = 3600;
    SEND ON CONVERSATION @h (CAST(@i AS nvarchar(10)));
    IF @i % 3 = 0 END CONVERSATION @h;                       -- fire and forget
    IF @i % 4 = 0 BEGIN
        BEGIN DIALOG CONVERSATION @h FROM SERVICE FromSvc TO SERVICE 'Nowhere' WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h (N'lost');
    END
    SET @i = @i + 1;
END
GO
--! settle
SELECT COUNT(*) AS [Count], state_desc, is_initiator, far_service
FROM sys.conversation_endpoints WITH (NOLOCK)
GROUP BY state_desc, is_initiator, far_service
ORDER BY state_desc, is_initiator DESC, far_service;
SELECT to_service_name, COUNT(*) cnt, MIN(CASE WHEN transmission_status <> '' THEN 1 ELSE 0 END) AS told
FROM sys.transmission_queue GROUP BY to_service_name HAVING COUNT(*) > 1;
GO
--! rows
--! columns Count | state_desc | is_initiator | far_service
--! 3 | CONVERSING | 1 | Nowhere
--! 8 | CONVERSING | 1 | ToSvc
--! 8 | CONVERSING | 0 | FromSvc
--! 4 | DISCONNECTED_INBOUND | 0 | FromSvc
--! 4 | DISCONNECTED_OUTBOUND | 1 | ToSvc
--! rows
--! Nowhere | 3 | 1
-- One row for each queue: how much is in it, by the number of rows of its internal table.
SELECT s.name AS svc, q.name AS que, i.name AS [internal table], SUM(p.rows) AS [rows],
       CASE q.is_receive_enabled WHEN 1 THEN 'Yes' ELSE 'No' END AS [Receive?],
       q.is_activation_enabled
FROM sys.objects AS o
JOIN sys.partitions AS p ON p.object_id = o.object_id
JOIN sys.internal_tables AS i ON i.object_id = o.object_id
JOIN sys.service_queues AS q ON q.object_id = i.parent_object_id
JOIN sys.service_queue_usages AS u ON u.service_queue_id = q.object_id
JOIN sys.services AS s ON s.service_id = u.service_id
WHERE p.index_id = 1 AND q.is_ms_shipped = 0
GROUP BY s.name, q.name, i.name, q.is_receive_enabled, q.is_activation_enabled
ORDER BY s.name;
GO
--! rows
--! columns svc | que | internal table | rows | Receive? | is_activation_enabled
--! FromSvc | FromQ | * | 0 | Yes | 0
--! ToSvc | ToQ | * | 16 | Yes | 0
-- The loop that everybody has: END … WITH CLEANUP by a cursor, here for what will never arrive.
DECLARE @handle uniqueidentifier, @state char(2), @n int;
SET @n = 0;
DECLARE conv CURSOR LOCAL FORWARD_ONLY READ_ONLY FAST_FORWARD FOR
    SELECT conversation_handle, state FROM sys.conversation_endpoints WHERE far_service = N'Nowhere';
OPEN conv;
FETCH NEXT FROM conv INTO @handle, @state;
WHILE @@FETCH_STATUS = 0
BEGIN
    END CONVERSATION @handle WITH CLEANUP;
    SET @n += 1;
    FETCH NEXT FROM conv INTO @handle, @state;
END
CLOSE conv;
DEALLOCATE conv;
PRINT CONVERT(varchar(10), @n) + ' conversations cleaned up';
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! print 3 conversations cleaned up
--! rows
--! 0
-- Without a cursor: WHILE with SELECT TOP 1, here those that only wait for this side to end.
declare @conversationHandle uniqueidentifier
select top 1 @conversationHandle = conversation_handle from sys.conversation_endpoints where state = 'DI'
while @@rowcount = 1
begin
     end conversation @conversationHandle
     select top 1 @conversationHandle = conversation_handle from sys.conversation_endpoints where state = 'DI'
end
SELECT state_desc, COUNT(*) FROM sys.conversation_endpoints GROUP BY state_desc ORDER BY 1
GO
--! rows
--! CLOSED | 4
--! CONVERSING | 16
-- By dynamic SQL for the whole lot.
DECLARE @sql nvarchar(max); SET @sql = N'';
SELECT @sql = @sql + N'END CONVERSATION ''' + CONVERT(nchar(36), conversation_handle) + N''' WITH CLEANUP; '
FROM sys.conversation_endpoints;
EXEC (@sql);
SELECT COUNT(*) AS endpoints, (SELECT COUNT(*) FROM ToQ WITH (NOLOCK)) AS messages, (SELECT COUNT(*) FROM sys.conversation_groups) AS groups FROM sys.conversation_endpoints;
GO
--! rows
--! 0 | 0 | 0
-- What is running: sessions, requests that wait in the broker, tasks of activation.
--! session reader IN Leaky
WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) AS body FROM dbo.ToQ), TIMEOUT 60000;
GO
--! blocked
--! session main
SELECT r.command, r.wait_type, r.status, DB_NAME(r.database_id) AS db, LEFT(t.text, 17) AS [text]
FROM sys.dm_exec_requests r INNER JOIN sys.dm_exec_sessions s ON r.session_id = s.session_id
OUTER APPLY sys.dm_exec_sql_text(r.sql_handle) t
WHERE s.is_user_process = 1 AND r.session_id <> @@SPID;
SELECT w.wait_type FROM sys.dm_os_waiting_tasks w JOIN sys.dm_exec_sessions s ON s.session_id = w.session_id WHERE w.wait_type LIKE 'BROKER%' AND s.is_user_process = 1;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks; SELECT COUNT(*) FROM sys.dm_broker_connections; SELECT COUNT(*) FROM sys.dm_broker_forwarded_messages;
DECLARE @spid smallint; SELECT @spid = session_id FROM sys.dm_exec_requests WHERE wait_type = 'BROKER_RECEIVE_WAITFOR';
EXEC ('KILL ' + @spid);
GO
--! rows
--! columns command | wait_type | status | db | text
--! * | BROKER_RECEIVE_WAITFOR | suspended | Leaky | WAITFOR (RECEIVE 
--! rows
--! BROKER_RECEIVE_WAITFOR
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! finishes reader
--! error 596
--! session main
USE master; DROP DATABASE Leaky;
GO
