-- Several readers: one more every 5 seconds while nobody gets an empty result, up to MAX_QUEUE_READERS.
CREATE DATABASE Readers;
GO
USE Readers;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE Done (body nvarchar(10), spid int, at datetime);
GO
CREATE PROCEDURE Slow AS
BEGIN
    DECLARE @b nvarchar(10);
    WHILE 1 = 1
    BEGIN
        SET @b = NULL;
        WAITFOR (RECEIVE TOP (1) @b = message_body FROM Q2), TIMEOUT 500;
        IF @b IS NULL BREAK;
        INSERT INTO Done VALUES (@b, @@SPID, GETUTCDATE());
        WAITFOR DELAY '00:00:03';
    END;
END;
GO
CREATE PROCEDURE Talk @n int AS
BEGIN
    DECLARE @h uniqueidentifier, @i int = 1;
    WHILE @i <= @n
    BEGIN
        BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
        DECLARE @b nvarchar(10) = CAST(@i AS nvarchar(10));
        SEND ON CONVERSATION @h (@b);
        SET @i += 1;
    END;
END;
GO
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Slow, MAX_QUEUE_READERS = 3, EXECUTE AS OWNER);
EXEC Talk 40;
GO
--! settle
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
SELECT t.procedure_name, t.execute_as, q.name, CASE WHEN t.spid = s.session_id THEN 'session' END FROM sys.dm_broker_activated_tasks t
JOIN sys.service_queues q ON q.object_id = t.queue_id JOIN sys.dm_exec_sessions s ON s.session_id = t.spid WHERE t.database_id = DB_ID();
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! 1
--! rows
--! [Readers].[dbo].[Slow] | 1 | Q2 | session
--! rows
--! RECEIVES_OCCURRING
--! spec MONITOR-8 MONITOR-9 MONITOR-11
--! advance 4s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 1
--! advance 2s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 2
--! advance 5s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 3
--! spec MONITOR-13 MONITOR-15 PERIOD-1
-- Not more than the limit; raising it takes effect at the next tick.
--! advance 10s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
ALTER QUEUE Q2 WITH ACTIVATION (MAX_QUEUE_READERS = 4);
GO
--! rows
--! 3
--! advance 6s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 4
--! spec ACTIVATION-7
-- All done, each message once; the readers leave after their time-out.
--! advance 60s
SELECT COUNT(*), COUNT(DISTINCT body), COUNT(DISTINCT spid) FROM Done;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
SELECT state, tasks_waiting FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! 40 | 40 | 4
--! rows
--! 0
--! rows
--! INACTIVE | 0
-- Activation OFF: no new launches; the queue keeps the message. ON with messages waiting activates at once.
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = OFF);
EXEC Talk 1;
GO
--! settle
SELECT COUNT(*) FROM Q2;
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON);
GO
--! rows
--! 1
--! rows
--! 0
--! settle
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 0
-- The queue is disabled while a task waits in RECEIVE: the task ends (28086).
--! advance 3s
ALTER QUEUE Q2 WITH STATUS = OFF;
GO
--! settle
--! log 28086
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 0
-- Messages that wait are activated after a restart (broker start is an event).
ALTER QUEUE Q2 WITH STATUS = ON, ACTIVATION (STATUS = OFF);
EXEC Talk 1;
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON, MAX_QUEUE_READERS = 0);
GO
--! settle
USE Readers;
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 1
--! restart
USE Readers;
SELECT COUNT(*) FROM Q2;
ALTER QUEUE Q2 WITH ACTIVATION (MAX_QUEUE_READERS = 1);
GO
--! rows
--! 1
--! settle
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 0
