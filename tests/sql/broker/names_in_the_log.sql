-- The error log names a queue with its database and its schema: the same name may stand in two schemas.
CREATE DATABASE Shop;
GO
USE Shop;
GO
CREATE SCHEMA sales;
GO
CREATE PROCEDURE Fails AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM sales.Work;
    PRINT 'it failed';
    RAISERROR (50001, 16, 1);
END;
GO
CREATE PROCEDURE DoesNothing AS RETURN;
GO
CREATE QUEUE Work;
CREATE QUEUE sales.Work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Fails, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE QUEUE sales.Idle WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = DoesNothing, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE SERVICE Starter ON QUEUE Work;
CREATE SERVICE Worker ON QUEUE sales.Work ([DEFAULT]);
CREATE SERVICE Idler ON QUEUE sales.Idle ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Worker' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'work');
GO
--! settle
--! log 9724 Shop.sales.Work
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Idler' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'idle');
GO
--! settle
--! log 28087 Shop.sales.Idle
