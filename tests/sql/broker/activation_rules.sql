-- Which events start an activated procedure, and what its task is like: the cases that activation*.sql leave open.
CREATE DATABASE Rules;
GO
--! session main IN Rules
CREATE QUEUE asks;
CREATE QUEUE work;
CREATE SERVICE [//asks] ON QUEUE asks;
CREATE SERVICE [//work] ON QUEUE work ([DEFAULT]);
CREATE TABLE seen (id int IDENTITY, body nvarchar(40), options int, trancount int, db sysname);
CREATE TABLE handles (name varchar(10) PRIMARY KEY, handle uniqueidentifier);
GO
CREATE VIEW monitor AS
SELECT q.name, m.state, m.tasks_waiting FROM sys.dm_broker_queue_monitors m
JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE m.database_id = DB_ID('Rules');
GO
CREATE PROCEDURE ask @body nvarchar(40), @name varchar(10) = NULL AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@body);
    IF @name IS NOT NULL INSERT handles VALUES (@name, @h);
END;
GO
CREATE PROCEDURE take AS
BEGIN
    DECLARE @body nvarchar(40), @options int = @@OPTIONS, @count int = @@TRANCOUNT;
    RECEIVE TOP (1) @body = message_body FROM work;
    IF @body IS NOT NULL INSERT seen VALUES (@body, @options, @count, DB_NAME());
    RETURN 7;
END;
GO
ALTER QUEUE work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = take, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
SELECT state FROM monitor WHERE name = 'work';
GO
--! rows
--! INACTIVE
--! spec MONITOR-1 MONITOR-7
-- A session that waits takes the message itself.
--! session waiting IN Rules
WAITFOR (RECEIVE CAST(message_body AS nvarchar(40)) FROM work);
GO
--! blocked
--! session main
SELECT tasks_waiting FROM monitor WHERE name = 'work';
GO
--! rows
--! 1
--! spec MONITOR-23
EXEC ask N'for the waiting one';
GO
--! settle
--! session waiting
--! finishes
--! rows
--! for the waiting one
--! session main
SELECT COUNT(*) FROM seen;
GO
--! rows
--! 0
--! spec ACTIVATION-10
-- The options of a task are those of the database, whatever the sender's session has set.
SET XACT_ABORT ON; SET IMPLICIT_TRANSACTIONS OFF; SET NOCOUNT ON;
GO
EXEC ask N'options';
GO
--! settle
SELECT body, options & 16384 AS xact_abort, options & 2 AS implicit, options & 512 AS nocount, trancount, db FROM seen;
SELECT state FROM monitor WHERE name = 'work';
SET XACT_ABORT OFF; SET NOCOUNT OFF;
GO
--! rows
--! options | 0 | 0 | 0 | 0 | Rules
--! rows
--! INACTIVE
--! spec TASK-3 TASK-5 TASK-6 TASK-10 DOOM-12
-- A RECEIVE that finds nothing is the last empty rowset.
RECEIVE TOP (1) status FROM work;
SELECT state, CASE WHEN last_empty_rowset_time = GETUTCDATE() THEN 'now' END FROM sys.dm_broker_queue_monitors m
JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'work';
DELETE seen;
GO
--! rows
--! rows
--! INACTIVE | now
--! spec MONITOR-12 MONITOR-14
-- A rollback that gives a message back starts the procedure; before it, the group is locked.
ALTER QUEUE work WITH ACTIVATION (STATUS = OFF);
EXEC ask N'first', 'a';
BEGIN TRANSACTION;
RECEIVE TOP (1) CAST(message_body AS nvarchar(40)) FROM work;
GO
--! rows
--! first
--! session other IN Rules
ALTER QUEUE work WITH ACTIVATION (STATUS = ON);
DECLARE @h uniqueidentifier = (SELECT handle FROM handles WHERE name = 'a');
SEND ON CONVERSATION @h (N'second');
GO
--! settle
SELECT COUNT(*) FROM seen;
SELECT state FROM monitor WHERE name = 'work';
GO
--! rows
--! 0
--! rows
--! INACTIVE
--! spec ACTIVATION-11
--! session main
ROLLBACK;
GO
--! settle
SELECT body FROM seen ORDER BY id;
GO
--! rows
--! first
--! second
--! spec ACTIVATION-4 ACTIVATION-5
-- Switching activation off takes the monitor away; so does switching off the queue or the broker, or dropping the queue.
ALTER QUEUE work WITH ACTIVATION (STATUS = OFF);
SELECT COUNT(*) FROM monitor WHERE name = 'work';
ALTER QUEUE work WITH ACTIVATION (STATUS = ON);
SELECT COUNT(*) FROM monitor WHERE name = 'work';
ALTER QUEUE work WITH STATUS = OFF;
SELECT COUNT(*) FROM monitor WHERE name = 'work';
ALTER QUEUE work WITH STATUS = ON;
SELECT COUNT(*) FROM monitor WHERE name = 'work';
GO
--! rows
--! 0
--! rows
--! 1
--! rows
--! 0
--! rows
--! 1
--! spec MONITOR-3 MONITOR-4
CREATE QUEUE passing WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = take, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors WHERE queue_id = OBJECT_ID('passing');
DECLARE @id int = OBJECT_ID('passing');
DROP QUEUE passing;
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors WHERE queue_id = @id;
GO
--! rows
--! 1
--! rows
--! 0
--! spec MONITOR-6
ALTER DATABASE Rules SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
SELECT COUNT(*) FROM monitor;
ALTER DATABASE Rules SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
SELECT COUNT(*) FROM monitor;
GO
--! rows
--! 0
--! rows
--! 1
--! spec MONITOR-5
-- A stuck monitor: ALTER PROCEDURE does not wake it, a restart of the instance does.
DELETE seen;
GO
ALTER PROCEDURE take AS RETURN;
GO
EXEC ask N'stuck';
GO
--! settle
--! log 28087
ALTER PROCEDURE take AS
BEGIN
    DECLARE @body nvarchar(40);
    RECEIVE TOP (1) @body = message_body FROM work;
    IF @body IS NOT NULL INSERT seen VALUES (@body, 0, 0, DB_NAME());
END;
GO
--! advance 20s
SELECT COUNT(*) FROM seen;
SELECT state FROM monitor WHERE name = 'work';
GO
--! rows
--! 0
--! rows
--! NOTIFIED
--! spec MONITOR-20 MONITOR-21 TASK-12
--! restart
--! settle
--! session main IN Rules
SELECT body FROM seen;
GO
--! rows
--! stuck
--! spec ACTIVATION-8
-- Activation off while a task works: it goes on. Another procedure: the running one stays what it is.
CREATE PROCEDURE slow AS
BEGIN
    DECLARE @body nvarchar(40);
    WHILE 1 = 1
    BEGIN
        SET @body = NULL;
        RECEIVE TOP (1) @body = message_body FROM work;
        IF @body IS NULL RETURN;
        WAITFOR DELAY '00:00:02';
        SET @body = CONCAT(N'slow ', @body);
        INSERT seen VALUES (@body, 0, 0, DB_NAME());
    END;
END;
GO
DELETE seen;
RECEIVE status FROM work;
ALTER QUEUE work WITH ACTIVATION (PROCEDURE_NAME = slow);
EXEC ask N'1';
EXEC ask N'2';
GO
--! settle
ALTER QUEUE work WITH ACTIVATION (PROCEDURE_NAME = take);
GO
--! advance 10s
SELECT body FROM seen ORDER BY id;
GO
--! rows
--! slow 1
--! slow 2
--! spec TASK-19
DELETE seen;
ALTER QUEUE work WITH ACTIVATION (PROCEDURE_NAME = slow);
EXEC ask N'3';
GO
--! settle
ALTER QUEUE work WITH ACTIVATION (STATUS = OFF);
EXEC ask N'4';
GO
--! advance 1s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 1
--! advance 10s
SELECT body FROM seen ORDER BY id;
SELECT s.is_user_process FROM sys.dm_broker_activated_tasks t JOIN sys.dm_exec_sessions s ON s.session_id = t.spid;
EXEC ask N'5';
GO
--! rows
--! slow 3
--! slow 4
--! rows
--! settle
SELECT COUNT(*) FROM work;
GO
--! rows
--! 1
--! spec TASK-18
ALTER QUEUE work WITH ACTIVATION (STATUS = ON);
GO
--! settle
SELECT s.is_user_process FROM sys.dm_broker_activated_tasks t JOIN sys.dm_exec_sessions s ON s.session_id = t.spid;
GO
--! rows
--! 0
--! spec TASK-1 TASK-2 ACTIVATION-6
