-- The activation procedure is bound late, may live in another database, and replies in its own transactions.
CREATE DATABASE Late;
CREATE DATABASE Code;
GO
USE Code;
CREATE TABLE Seen (who sysname, db sysname, body nvarchar(20));
GO
USE Late;
ALTER DATABASE Late SET TRUSTWORTHY ON; -- its owner vouches for it in the other database
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
CREATE PROCEDURE Talk AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'hello');
END;
GO
-- Not there yet: the queue is made, the launch fails and is logged, the message stays.
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.NotYet, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
SELECT activation_procedure FROM sys.service_queues WHERE name = 'Q2';
EXEC Talk;
GO
--! rows
--! [Late].[dbo].[NotYet]
--! settle
--! log 28088
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 1
--! spec TASK-16 TASK-17
-- A procedure of another database, by its three-part name.
USE Code;
GO
CREATE PROCEDURE Reader AS
BEGIN
    DECLARE @h uniqueidentifier, @b nvarchar(20);
    RECEIVE TOP (1) @h = conversation_handle, @b = message_body FROM Late.dbo.Q2;
    INSERT INTO Seen VALUES (USER_NAME(), DB_NAME(), @b);
END;
GO
USE Late;
ALTER DATABASE Late SET TRUSTWORTHY ON; -- its owner vouches for it in the other database
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = OFF, PROCEDURE_NAME = Code.dbo.Reader);
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON);
SELECT activation_procedure FROM sys.service_queues WHERE name = 'Q2';
GO
--! rows
--! [Code].[dbo].[Reader]
--! settle
SELECT who, db, body FROM Code.dbo.Seen;
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! dbo | Code | hello
--! rows
--! 0
-- A reply, committed by the procedure; what it does not commit is lost (8415).
CREATE PROCEDURE Answer AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN TRANSACTION;
    RECEIVE TOP (1) @h = conversation_handle FROM Q2;
    SEND ON CONVERSATION @h (N'answer');
    END CONVERSATION @h;
    COMMIT;
    BEGIN TRANSACTION;
    INSERT INTO Code.dbo.Seen VALUES ('lost', 'lost', 'lost');
END;
GO
ALTER QUEUE Q2 WITH ACTIVATION (PROCEDURE_NAME = Answer);
EXEC Talk;
GO
--! settle
--! log 8415
RECEIVE CAST(message_body AS nvarchar(20)), message_type_id FROM Q1;
SELECT COUNT(*) FROM Code.dbo.Seen WHERE who = 'lost';
GO
--! rows
--! answer | 14
--! NULL | 2
--! rows
--! 0
--! spec TASK-11 TASK-20 TRANSACTION-16
-- Activation comes after the commit of the sender, and not at all for a rollback (6.1).
BEGIN TRANSACTION;
EXEC Talk;
GO
--! settle
SELECT COUNT(*) FROM Q1;
ROLLBACK;
GO
--! rows
--! 0
--! settle
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! INACTIVE
--! spec ACTIVATION-2
-- A DialogTimer message activates like any other.
DECLARE @h uniqueidentifier;
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.OnTimer, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
GO
CREATE PROCEDURE OnTimer AS
BEGIN
    DECLARE @h uniqueidentifier, @id int;
    RECEIVE TOP (1) @h = conversation_handle, @id = message_type_id FROM Q1;
    INSERT INTO Code.dbo.Seen VALUES ('timer', DB_NAME(), CAST(@id AS nvarchar(10)));
    IF (SELECT COUNT(*) FROM Code.dbo.Seen WHERE who = 'timer') < 3 BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
END;
GO
--! advance 20s
SELECT db, body FROM Code.dbo.Seen WHERE who = 'timer';
GO
--! rows
--! Late | 5
--! Late | 5
--! Late | 5
--! spec ACTIVATION-9
