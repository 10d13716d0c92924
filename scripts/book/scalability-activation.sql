-- Scalability paper: the receiving procedure and its queue with up to 16 readers; then the variant of the tip on
-- TRY-CATCH. Both procedures are in ../activated.
-- Corrected: the table for the number of messages per RECEIVE, which the text mentions and the script leaves out, is
-- there (dbo.messageCount); system messages are not written to the table of payloads.
-- One instance: sender and receiver are two databases.

:r common/scalability-databases.sql
USE SSBSender;
GO
:r common/scalability-objects.sql

USE SSBReceiver;
GO
CREATE TABLE dbo.messageDrop
(
    id int IDENTITY(1, 1) PRIMARY KEY,
    messageVal varbinary(2000),
    CONSTRAINT no_bad_word CHECK (messageVal <> CAST('unwanted' AS varbinary(2000)))
);
CREATE TABLE dbo.messageCount (id int IDENTITY(1, 1) PRIMARY KEY, received datetime NOT NULL, messages int NOT NULL);
CREATE TABLE dbo.messageErrors
(
    id int IDENTITY(1, 1) PRIMARY KEY,
    number int NOT NULL,
    reason nvarchar(4000),
    message_body varbinary(max)
);
GO
:r ../activated/SRPerf_Queue_LabTest.sql
:r ../activated/SRPerf_Queue_LabTest_TryCatch.sql

CREATE MESSAGE TYPE [//MySSB.com/Lab/M_Test] AUTHORIZATION dbo VALIDATION = NONE;
CREATE CONTRACT [//MySSB.com/Lab/C_Test] AUTHORIZATION dbo ([//MySSB.com/Lab/M_Test] SENT BY ANY);
GO
CREATE QUEUE dbo.MySSBLabTestQueue
    WITH STATUS = ON,
    ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.SRPerf_Queue_LabTest,
        MAX_QUEUE_READERS = 16,
        EXECUTE AS OWNER)
    ON [PRIMARY];
GO
CREATE SERVICE [//MySSB.com/Lab/S_Test] AUTHORIZATION dbo
    ON QUEUE dbo.MySSBLabTestQueue ([//MySSB.com/Lab/C_Test]);
GO
SELECT name, is_activation_enabled, max_readers, execute_as_principal_id
FROM sys.service_queues
WHERE is_ms_shipped = 0;
GO
--! rows
--! MySSBLabTestQueue | 1 | 16 | -2

-- Twelve messages on one dialog, in one transaction: they arrive together and one RECEIVE takes them all.
USE SSBSender;
GO
DECLARE @service_broker_guid nvarchar(128), @dh uniqueidentifier, @i int;
SELECT @service_broker_guid = CAST(service_broker_guid AS nvarchar(36))
FROM sys.databases
WHERE name = N'SSBReceiver';

BEGIN TRANSACTION;
BEGIN DIALOG @dh FROM SERVICE [//MySSB.com/Lab/S_Test]
    TO SERVICE '//MySSB.com/Lab/S_Test', @service_broker_guid
    ON CONTRACT [//MySSB.com/Lab/C_Test]
    WITH ENCRYPTION = ON;
SET @i = 0;
WHILE @i < 12
BEGIN
    SEND ON CONVERSATION @dh MESSAGE TYPE [//MySSB.com/Lab/M_Test] (REPLICATE('x', 100));
    SET @i = @i + 1;
END;
COMMIT TRANSACTION;
GO
WAITFOR DELAY '00:00:02';
GO
USE SSBReceiver;
GO
SELECT COUNT(*) AS payloads, MIN(DATALENGTH(messageVal)) AS bytes FROM dbo.messageDrop;
SELECT messages FROM dbo.messageCount ORDER BY id;
GO
--! rows
--! 12 | 100
--! rows
--! 12

-- The variant takes over; the procedure that is still waiting leaves after its three seconds.
ALTER QUEUE dbo.MySSBLabTestQueue WITH ACTIVATION (PROCEDURE_NAME = dbo.SRPerf_Queue_LabTest_TryCatch);
GO
WAITFOR DELAY '00:00:10';
GO
-- The second of three messages violates the table's constraint. On the same dialog, which is still open.
USE SSBSender;
GO
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1;
BEGIN TRANSACTION;
SEND ON CONVERSATION @dh MESSAGE TYPE [//MySSB.com/Lab/M_Test] ('first');
SEND ON CONVERSATION @dh MESSAGE TYPE [//MySSB.com/Lab/M_Test] ('unwanted');
SEND ON CONVERSATION @dh MESSAGE TYPE [//MySSB.com/Lab/M_Test] ('third');
COMMIT TRANSACTION;
GO
WAITFOR DELAY '00:00:10';
GO
USE SSBReceiver;
GO
SELECT CAST(messageVal AS varchar(20)) AS payload FROM dbo.messageDrop WHERE DATALENGTH(messageVal) < 100 ORDER BY id;
SELECT number, CAST(message_body AS varchar(20)) AS payload FROM dbo.messageErrors;
-- nothing was rolled back, so the queue is still on
SELECT is_receive_enabled FROM sys.service_queues WHERE name = N'MySSBLabTestQueue';
GO
--! rows
--! first
--! third
--! rows
--! 547 | unwanted
--! rows
--! 1
