-- The dynamic views of the broker while tasks run and readers wait; the queue's row in sys.service_queues.
CREATE DATABASE Live;
GO
USE Live;
CREATE USER Worker WITHOUT LOGIN;
CREATE QUEUE Plain;
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
GO
CREATE PROCEDURE Works AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM Q;
    WAITFOR DELAY '00:00:10';
    WAITFOR (RECEIVE TOP (1) @h = conversation_handle FROM Q), TIMEOUT 20000;
END;
GO
GRANT EXECUTE ON Works TO Worker; GRANT RECEIVE ON Q TO Worker;
SELECT q.max_readers, q.activation_procedure, q.execute_as_principal_id, q.is_activation_enabled, q.is_retention_enabled, q.is_poison_message_handling_enabled,
    q.is_receive_enabled, q.is_enqueue_enabled FROM sys.service_queues q WHERE q.name = 'Q';
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Works, MAX_QUEUE_READERS = 2, EXECUTE AS 'Worker'), RETENTION = ON, POISON_MESSAGE_HANDLING (STATUS = OFF);
SELECT q.max_readers, q.activation_procedure, USER_NAME(q.execute_as_principal_id), q.is_activation_enabled, q.is_retention_enabled, q.is_poison_message_handling_enabled,
    q.is_receive_enabled, q.is_enqueue_enabled FROM sys.service_queues q WHERE q.name = 'Q';
ALTER QUEUE Plain WITH STATUS = OFF;
SELECT q.is_receive_enabled, q.is_enqueue_enabled FROM sys.service_queues q WHERE q.name = 'Plain';
SELECT q.type, q.type_desc, CASE WHEN o.object_id = q.object_id AND o.schema_id = q.schema_id AND o.create_date = q.create_date AND o.modify_date = q.modify_date
    AND o.parent_object_id = q.parent_object_id AND o.type = q.type AND o.type_desc = q.type_desc AND o.is_ms_shipped = q.is_ms_shipped THEN 'as the object' END
FROM sys.service_queues q JOIN sys.objects o ON o.name = q.name WHERE q.name = 'Q';
GO
--! rows
--! 0 | NULL | NULL | 0 | 0 | 1 | 1 | 1
--! rows
--! 2 | [Live].[dbo].[Works] | Worker | 1 | 1 | 0 | 1 | 1
--! rows
--! 0 | 0
--! rows
--! SQ | SERVICE_QUEUE | as the object
--! spec VIEW-9 VIEW-10 VIEW-11 VIEW-13 VIEW-14
ALTER QUEUE Q WITH ACTIVATION (EXECUTE AS OWNER);
SELECT execute_as_principal_id FROM sys.service_queues WHERE name = 'Q';
ALTER QUEUE Q WITH ACTIVATION (EXECUTE AS SELF);
SELECT execute_as_principal_id FROM sys.service_queues WHERE name = 'Q';
ALTER QUEUE Q WITH ACTIVATION (EXECUTE AS 'Worker');
GO
--! rows
--! -2
--! rows
--! 1
--! spec VIEW-11
CREATE VIEW Monitors AS SELECT q.name, m.state, m.last_empty_rowset_time, m.last_activated_time, m.tasks_waiting, DB_NAME(m.database_id) AS in_database
FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id;
GO
SELECT name, in_database, state FROM Monitors;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks; SELECT COUNT(*) FROM sys.dm_broker_connections; SELECT COUNT(*) FROM sys.dm_broker_forwarded_messages;
GO
--! rows
--! Q | Live | INACTIVE
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! spec VIEW-22 VIEW-23
--! advance 5s
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
GO
--! settle
SELECT DB_NAME(t.database_id), OBJECT_NAME(t.queue_id), t.procedure_name, USER_NAME(t.execute_as), s.is_user_process
FROM sys.dm_broker_activated_tasks t JOIN sys.dm_exec_sessions s ON s.session_id = t.spid;
SELECT state, last_activated_time, tasks_waiting FROM Monitors WHERE name = 'Q';
GO
--! rows
--! Live | Q | [Live].[dbo].[Works] | Worker | 0
--! rows
--! RECEIVES_OCCURRING | 2026-01-01 00:00:05.000 | 0
--! spec VIEW-15 VIEW-16 VIEW-19
-- The task waits in its second RECEIVE; two more sessions wait, on this queue and on another, which has no monitor.
ALTER QUEUE Plain WITH STATUS = ON;
GO
--! advance 11s
--! session other IN Live
WAITFOR (RECEIVE * FROM Plain), TIMEOUT 5000;
GO
--! blocked
--! session third IN Live
WAITFOR (RECEIVE * FROM Q), TIMEOUT 5000;
GO
--! blocked
--! session main
SELECT name, tasks_waiting FROM Monitors ORDER BY name;
GO
--! rows
--! Q | 2
--! spec VIEW-20
--! advance 6s
--! finishes third
--! session third
SELECT last_empty_rowset_time FROM Monitors WHERE name = 'Q';
GO
--! rows
--! 2026-01-01 00:00:21.000
--! spec VIEW-18
-- A task that never receives leaves its monitor NOTIFIED.
CREATE PROCEDURE Stub AS RETURN 0;
GO
ALTER QUEUE Plain WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Stub, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE SERVICE P ON QUEUE Plain ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'P' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
GO
--! settle
SELECT state FROM Monitors WHERE name = 'Plain';
GO
--! rows
--! NOTIFIED
--! spec VIEW-17
-- the session's own settings, and who its client is: a program in this process
SET LANGUAGE German; SET DATEFIRST 3; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET DEADLOCK_PRIORITY HIGH; SET LOCK_TIMEOUT 50; SET CONTEXT_INFO 0x0102;
GO
SELECT s.language, s.date_format, s.date_first, s.transaction_isolation_level, s.deadlock_priority, s.lock_timeout, CAST(s.context_info AS binary(3)), s.arithabort
FROM sys.dm_exec_sessions AS s WHERE s.session_id = @@SPID;
SELECT s.host_name, HOST_NAME(), s.program_name, APP_NAME(), s.host_process_id, s.endpoint_id, CONNECTIONPROPERTY('net_transport'),
    CONNECTIONPROPERTY('client_net_address'), CONNECTIONPROPERTY('local_tcp_port') FROM sys.dm_exec_sessions AS s WHERE s.session_id = @@SPID;
SET LANGUAGE us_english; SET DATEFIRST 7; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET DEADLOCK_PRIORITY NORMAL; SET LOCK_TIMEOUT -1;
GO
--! rows
--! Deutsch | dmy | 3 | 3 | 5 | 50 | 0x010200 | 1
--! rows
--! SBQL | SBQL | sbql | sbql | NULL | 2 | Shared memory | <local machine> | NULL
-- when the instance was opened, and the connection of the session
SELECT servicename, startup_type_desc, status, last_startup_time, service_account, is_clustered, IIF(process_id > 0, 'some', 'none') FROM sys.dm_server_services;
SELECT sqlserver_start_time, IIF(cpu_count > 0, 'some', 'none'), scheduler_count - cpu_count FROM sys.dm_os_sys_info;
SELECT c.net_transport, c.auth_scheme, r.session_id - c.session_id FROM sys.dm_exec_connections AS c JOIN sys.dm_exec_requests AS r ON r.connection_id = c.connection_id
WHERE c.session_id = @@SPID;
BEGIN TRANSACTION;
SELECT COUNT(*), MAX(CAST(transaction_is_snapshot AS int)) FROM sys.dm_tran_current_transaction;
COMMIT;
SELECT t.name, t.usage FROM sys.login_token AS t WHERE t.type = 'SQL LOGIN';
GO
--! rows
--! SQL Server (SBQL) | Manual | 4 | 2026-01-01 00:00:00.0000000 +00:00 |  | N | some
--! rows
--! 2026-01-01 00:00:00.000 | some | 0
--! rows
--! Shared memory | SQL | 0
--! rows
--! 1 | 0
--! rows
--! sa | GRANT OR DENY
--! finishes other
