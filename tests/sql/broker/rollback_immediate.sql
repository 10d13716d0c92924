-- ALTER DATABASE … WITH ROLLBACK IMMEDIATE ends activated tasks too, and those that start in their place because the message is back.
CREATE DATABASE Busy;
GO
USE Busy;
CREATE QUEUE Q1; CREATE QUEUE Never;
GO
CREATE PROCEDURE Holds AS
BEGIN
    BEGIN TRANSACTION;
    RECEIVE status FROM Q1;
    WAITFOR (RECEIVE status FROM Never);
    COMMIT;
END;
GO
CREATE SERVICE S ON QUEUE Q1 ([DEFAULT]);
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Holds, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
GO
--! settle
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
USE master;
ALTER DATABASE Busy SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Busy';
SELECT (SELECT COUNT(*) FROM sys.dm_broker_activated_tasks), (SELECT COUNT(*) FROM Busy.dbo.Q1);
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0 | 1
-- Every task that is ended gives its message back, which would start the next one: nothing starts while somebody takes the database, and
-- what waits starts afterwards.
ALTER DATABASE Busy SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
ALTER QUEUE Busy.dbo.Q1 WITH POISON_MESSAGE_HANDLING (STATUS = OFF);
GO
--! settle
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
ALTER DATABASE Busy SET READ_COMMITTED_SNAPSHOT ON WITH ROLLBACK IMMEDIATE;
ALTER DATABASE Busy SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
GO
--! settle
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 1
