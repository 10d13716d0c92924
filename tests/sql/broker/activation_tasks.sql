-- Activated tasks: context, several readers, the stuck monitor, errors in the log.
CREATE DATABASE Tasks;
GO
USE Tasks;
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE S3 ON QUEUE Q3 ([DEFAULT]);
CREATE USER Worker WITHOUT LOGIN;
CREATE TABLE Log (id int IDENTITY, who sysname, trancount int, body nvarchar(20), spid int);
GO
CREATE PROCEDURE Talk @to sysname, @n int AS
BEGIN
    DECLARE @h uniqueidentifier, @i int = 1;
    WHILE @i <= @n
    BEGIN
        BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE @to WITH ENCRYPTION = OFF;
        DECLARE @b nvarchar(10) = CAST(@i AS nvarchar(10));
        SEND ON CONVERSATION @h (@b);
        SET @i += 1;
    END;
END;
GO
-- EXECUTE AS 'user': the user needs RECEIVE and EXECUTE, checked at launch. No transaction is open at the start.
CREATE PROCEDURE Once AS
BEGIN
    DECLARE @b nvarchar(20), @count int = @@TRANCOUNT;
    RECEIVE TOP (1) @b = message_body FROM Q2;
    INSERT INTO Log VALUES (USER_NAME(), @count, @b, @@SPID);
    SELECT 'thrown away';
END;
GO
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.Once, MAX_QUEUE_READERS = 1, EXECUTE AS 'Worker');
EXEC Talk 'S2', 1;
GO
--! settle
SELECT COUNT(*) FROM Log;
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! 0
--! rows
--! NOTIFIED
--! log 28088
--! spec TASK-15 MONITOR-10
-- Rights given, the monitor still waits for a RECEIVE; OFF and ON again is the cure (5.6).
GRANT EXECUTE ON Once TO Worker;
GRANT RECEIVE ON Q2 TO Worker;
GRANT INSERT ON Log TO Worker;
EXEC Talk 'S2', 1;
GO
--! settle
SELECT COUNT(*) FROM Log;
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = OFF);
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON);
GO
--! rows
--! 0
--! settle
-- The task took one message and ended; the other one launches the next task.
SELECT who, trancount, body FROM Log;
SELECT COUNT(*) FROM Q2;
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! Worker | 0 | 1
--! Worker | 0 | 1
--! rows
--! 0
--! rows
--! INACTIVE
--! spec TASK-4 TASK-7 MONITOR-18
-- A procedure that never receives: 28087, NOTIFIED for ever, no second launch. A manual RECEIVE cures it.
CREATE PROCEDURE Stub AS PRINT N'stub';
GO
ALTER QUEUE Q3 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Stub, MAX_QUEUE_READERS = 3, EXECUTE AS SELF);
EXEC Talk 'S3', 2;
GO
--! settle
--! log 9724 stub
--! log 28087
--! advance 60s
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q3';
SELECT COUNT(*) FROM Q3;
RECEIVE TOP (1) status FROM Q3;
GO
--! rows
--! NOTIFIED
--! rows
--! 2
--! rows
--! 0
--! advance 6s
--! log 9724 stub
--! spec MONITOR-17 MONITOR-19
-- Errors and an open transaction: 9724 with the text, 28088, 8415; the transaction is rolled back.
ALTER QUEUE Q3 WITH ACTIVATION (DROP);
RECEIVE status FROM Q3;
GO
CREATE PROCEDURE Fails AS
BEGIN
    BEGIN TRANSACTION;
    RECEIVE TOP (1) status FROM Q3;
    SELECT 1 / 0;
    THROW 50001, N'I give up', 1;
END;
GO
ALTER QUEUE Q3 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Fails, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
EXEC Talk 'S3', 1;
GO
--! settle
--! log 9724 ivi
--! log 9724 I give up
--! log 28088
--! log 8415
--! spec TASK-9 TASK-13 TRANSACTION-12
-- Each failing task is one rollback with a RECEIVE: after five of them the queue is off (5.8).
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'Q3';
SELECT COUNT(*) FROM Q3;
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q3';
GO
--! rows
--! 0
--! rows
--! 1
--! rows
--! 0
--! spec POISON-18
