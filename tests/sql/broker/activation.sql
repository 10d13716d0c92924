-- Activation: a procedure per burst, up to MAX_QUEUE_READERS by the 5-second rule.
CREATE DATABASE Act;
GO
USE Act;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE Done (spid int, body nvarchar(20));
GO
CREATE PROCEDURE Work AS
BEGIN
    DECLARE @h uniqueidentifier, @b nvarchar(20), @type sysname;
    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @b = message_body, @type = message_type_name FROM Q2), TIMEOUT 1000;
        IF @@ROWCOUNT = 0 BEGIN ROLLBACK; BREAK; END;
        IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog' END CONVERSATION @h;
        ELSE
        BEGIN
            INSERT INTO Done VALUES (@@SPID, @b);
            PRINT N'done with ' + @b;
        END;
        COMMIT;
    END;
END;
GO
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Work, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
SELECT is_activation_enabled, activation_procedure, max_readers, execute_as_principal_id FROM sys.service_queues WHERE name = 'Q2';
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! 1 | [Act].[dbo].[Work] | 2 | -2
--! rows
--! INACTIVE
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
SEND ON CONVERSATION @h (N'two');
GO
--! settle
SELECT body FROM Done ORDER BY body;
SELECT COUNT(DISTINCT spid) FROM Done;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
SELECT tasks_waiting FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! one
--! two
--! rows
--! 1
--! rows
--! 1
--! rows
--! 1
--! log 9724 done with one
--! spec ACTIVATION-1 ACTIVATION-3 TASK-8
-- After its time-out the procedure ends, and a new message activates again.
--! advance 2s
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 0
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'three');
END CONVERSATION @h;
GO
--! settle
SELECT COUNT(*) FROM Done;
SELECT state, is_initiator FROM sys.conversation_endpoints;
GO
--! rows
--! 3
--! rows
--! CD | 0
