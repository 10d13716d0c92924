-- A queue that is off: who may do what, where messages wait, activation; ALTER and DROP QUEUE while tasks run and sessions wait.
CREATE DATABASE Switch;
GO
USE Switch;
CREATE QUEUE Q; CREATE QUEUE Inbox;
CREATE SERVICE Asks ON QUEUE Q; CREATE SERVICE Answers ON QUEUE Inbox ([DEFAULT]);
CREATE TABLE Done (who varchar(10), body nvarchar(20), at datetime DEFAULT GETUTCDATE());
GO
CREATE PROCEDURE Talk @body nvarchar(20) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Answers' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@body);
END;
GO
EXEC Talk N'before';
ALTER QUEUE Inbox WITH STATUS = OFF;
EXEC Talk N'after';
SELECT CAST(message_body AS nvarchar(20)) FROM Inbox;
SELECT CAST(message_body AS nvarchar(20)), CASE WHEN transmission_status = (SELECT REPLACE(text, '%s', 'Inbox') FROM sys.messages WHERE message_id = 9617) OR transmission_status <> '' THEN 'a reason' END
FROM sys.transmission_queue;
RECEIVE * FROM Inbox;
GO
--! rows
--! before
--! rows
--! after | a reason
--! error 9617
--! spec OFF-1 OFF-6 OFF-13 OFF-15
DECLARE @g uniqueidentifier;
GET CONVERSATION GROUP @g FROM Inbox;
GO
--! error 9617
--! spec OFF-2
-- A service on it begins, sends and ends; what it sends with retention is refused.
CREATE SERVICE Also ON QUEUE Inbox;
CREATE QUEUE Third; CREATE SERVICE Third ON QUEUE Third ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Also TO SERVICE 'Third' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'from a queue that is off');
END CONVERSATION @h;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT COUNT(*) FROM Third;
GO
--! rows
--! DO
--! rows
--! 2
--! spec OFF-4 OFF-9 OFF-10
ALTER QUEUE Inbox WITH RETENTION = ON;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Also TO SERVICE 'Third' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'refused');
GO
--! error 9618
--! spec OFF-5
ALTER QUEUE Inbox WITH RETENTION = OFF;
GO
-- No task starts while it is off; when it is on again, what waited arrives and tasks start.
CREATE PROCEDURE Reader AS
BEGIN
    DECLARE @h uniqueidentifier = NEWID(), @body nvarchar(20);
    WHILE @h IS NOT NULL
    BEGIN
        SET @h = NULL;
        WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @body = CAST(message_body AS nvarchar(20)) FROM Inbox), TIMEOUT 1000000;
        IF @h IS NOT NULL INSERT Done (who, body) VALUES ('Reader', @body);
    END;
END;
GO
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
--! advance 30s
SELECT COUNT(*) FROM Done; SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
ALTER QUEUE Inbox WITH STATUS = ON;
GO
--! rows
--! 0
--! rows
--! 0
--! spec OFF-11
--! advance 90s
SELECT body FROM Done ORDER BY body; SELECT COUNT(*) FROM sys.transmission_queue; SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! after
--! before
--! rows
--! 0
--! rows
--! 1
--! spec OFF-7 OFF-14
-- The running task waits in RECEIVE: STATUS = OFF ends it, and a session that waits gets an error.
--! session waits IN Switch
WAITFOR (RECEIVE * FROM Inbox);
GO
--! blocked
--! session main
ALTER QUEUE Inbox WITH STATUS = OFF;
GO
--! settle
--! session waits
--! finishes
--! error 9617
--! spec OFF-3
--! session main
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 0
--! log 28086
--! spec OFF-12
-- Activation switched off: a waiting task is ended with 28086 too; one that works goes on to its end.
ALTER QUEUE Inbox WITH STATUS = ON;
EXEC Talk N'again';
GO
--! settle
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = OFF);
GO
--! rows
--! 1
--! settle
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 0
--! log 28086
--! spec QUEUE-33
CREATE PROCEDURE Slow AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM Inbox;
    WAITFOR DELAY '00:00:10';
    INSERT Done (who) VALUES ('Slow');
END;
GO
CREATE PROCEDURE Newer AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM Inbox;
    INSERT Done (who) VALUES ('Newer');
END;
GO
DELETE Done;
EXEC Talk N'one';
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Slow, MAX_QUEUE_READERS = 1);
GO
--! settle
SELECT procedure_name FROM sys.dm_broker_activated_tasks;
EXEC Talk N'two';
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = OFF);
GO
--! rows
--! [Switch].[dbo].[Slow]
--! spec QUEUE-31
--! advance 9s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks; SELECT COUNT(*) FROM Done;
GO
--! rows
--! 1
--! rows
--! 0
--! advance 60s
SELECT who FROM Done; SELECT COUNT(*) FROM Inbox;
GO
--! rows
--! Slow
--! rows
--! 1
--! spec QUEUE-32
-- Another procedure: the running task keeps the old one, the next has the new one.
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = ON);
GO
--! settle
EXEC Talk N'three'; EXEC Talk N'four';
ALTER QUEUE Inbox WITH ACTIVATION (PROCEDURE_NAME = Newer);
GO
--! advance 9s
SELECT procedure_name FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! [Switch].[dbo].[Slow]
--! advance 60s
SELECT who, COUNT(*) FROM Done GROUP BY who ORDER BY who;
GO
--! rows
--! Newer | 2
--! Slow | 2
--! spec QUEUE-34
-- More readers count at once, fewer end nobody.
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = OFF);
EXEC Talk N'1'; EXEC Talk N'2'; EXEC Talk N'3'; EXEC Talk N'4'; EXEC Talk N'5'; EXEC Talk N'6';
CREATE TABLE Started (at datetime DEFAULT GETUTCDATE());
GO
CREATE PROCEDURE Long AS
BEGIN
    DECLARE @h uniqueidentifier;
    INSERT Started DEFAULT VALUES;
    RECEIVE TOP (1) @h = conversation_handle FROM Inbox;
    WAITFOR DELAY '00:01:00';
END;
GO
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Long, MAX_QUEUE_READERS = 1);
GO
--! advance 12s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
ALTER QUEUE Inbox WITH ACTIVATION (MAX_QUEUE_READERS = 2);
GO
--! rows
--! 1
--! advance 6s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
ALTER QUEUE Inbox WITH ACTIVATION (MAX_QUEUE_READERS = 1);
GO
--! rows
--! 2
--! spec QUEUE-35
--! advance 30s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 2
--! advance 22s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 1
--! spec QUEUE-36
-- Nothing starts with no readers; the error log says so.
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = OFF);
GO
--! advance 120s
ALTER QUEUE Inbox WITH ACTIVATION (STATUS = ON, MAX_QUEUE_READERS = 0);
GO
--! advance 30s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks; SELECT CASE WHEN COUNT(*) > 0 THEN 'waiting' END FROM Inbox;
GO
--! rows
--! 0
--! rows
--! waiting
--! log 9648
--! spec QUEUE-14
-- ALTER QUEUE waits for nobody: an open transaction keeps what it received, and gives it back.
BEGIN TRANSACTION;
RECEIVE TOP (1) status FROM Inbox;
GO
--! session ddl IN Switch
ALTER QUEUE Inbox WITH STATUS = OFF;
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'Inbox';
GO
--! rows
--! 0
--! session main
RECEIVE TOP (1) status FROM Inbox;
GO
--! error 9617
DECLARE @before int = (SELECT COUNT(*) FROM Inbox);
ROLLBACK;
SELECT COUNT(*) - @before FROM Inbox;
ALTER QUEUE Inbox WITH STATUS = ON;
GO
--! rows
--! 1
--! spec QUEUE-41
-- DROP QUEUE: a session that waits gets an error, a running task ends with 28085.
CREATE QUEUE Gone WITH ACTIVATION (PROCEDURE_NAME = Reader2, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE SERVICE Gone ON QUEUE Gone ([DEFAULT]);
GO
CREATE PROCEDURE Reader2 AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM Gone;
    WAITFOR (RECEIVE @h = conversation_handle FROM Gone);
END;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Gone' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
GO
--! settle
--! session waits
WAITFOR (RECEIVE * FROM Gone);
GO
--! blocked
--! session main
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
DROP SERVICE Gone;
DROP QUEUE Gone;
GO
--! rows
--! 1
--! settle
--! log 28085
--! session waits
--! finishes
--! error 208
--! spec QUEUE-44 QUEUE-45
