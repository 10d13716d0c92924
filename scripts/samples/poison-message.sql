-- Poison messages: what the broker does about them, how to recover, and how not to get them.

CREATE DATABASE Poison;
GO
USE Poison;
GO
CREATE TABLE dbo.numbers (value int NOT NULL);
CREATE TABLE dbo.badMessages
(
    id int IDENTITY(1, 1) PRIMARY KEY,
    reason nvarchar(3000) NOT NULL,
    message_body varbinary(max)
);
GO
:r ../activated/stubbornProc.sql
:r ../activated/carefulProc.sql

CREATE QUEUE numberQueue
    WITH ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.stubbornProc,
        MAX_QUEUE_READERS = 1,
        EXECUTE AS OWNER);
CREATE SERVICE numberService ON QUEUE numberQueue ([DEFAULT]);
CREATE QUEUE senderQueue;
CREATE SERVICE sender ON QUEUE senderQueue;
GO

-- Part 1: the wrong way.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE sender TO SERVICE 'numberService';
SEND ON CONVERSATION @dh (N'17');
SEND ON CONVERSATION @dh (N'seventeen');
GO
WAITFOR DELAY '00:00:05';
GO

-- The good message was processed. The bad one was received and rolled back five times in a row; then the broker
-- switched the queue off, with the message still in it.
SELECT value FROM dbo.numbers;
SELECT is_receive_enabled, is_enqueue_enabled, is_activation_enabled
FROM sys.service_queues
WHERE name = N'numberQueue';
SELECT CAST(message_body AS nvarchar(20)) AS stuck FROM numberQueue;
GO
--! rows
--! 17
--! rows
--! 0 | 0 | 1
--! rows
--! seventeen

-- Nobody can receive from it ...
RECEIVE TOP (1) message_body FROM numberQueue;
GO
--! error 9617

-- ... and what is sent to it now waits with the sender.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE sender TO SERVICE 'numberService';
SEND ON CONVERSATION @dh (N'18');
GO
SELECT CAST(message_body AS nvarchar(20)) AS waiting FROM sys.transmission_queue;
GO
--! rows
--! 18

-- Part 2: recovery. Keep the procedure away, open the queue, take the bad message out and tell its sender.
ALTER QUEUE numberQueue WITH ACTIVATION (STATUS = OFF);
ALTER QUEUE numberQueue WITH STATUS = ON;
GO
DECLARE @dh uniqueidentifier, @body varbinary(max);
SELECT @dh = conversation_handle FROM numberQueue WHERE CAST(message_body AS nvarchar(20)) = N'seventeen';
RECEIVE TOP (1) @body = message_body FROM numberQueue WHERE conversation_handle = @dh;
INSERT INTO dbo.badMessages (reason, message_body) VALUES (N'taken out by hand', @body);
END CONVERSATION @dh WITH ERROR = 100 DESCRIPTION = N'Only numbers, please.';
GO

-- Part 3: the right way. The careful procedure gets its chance with the message that has waited and a bad one.
ALTER QUEUE numberQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.carefulProc);
GO
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE sender TO SERVICE 'numberService';
SEND ON CONVERSATION @dh (N'eighteen');
GO
WAITFOR DELAY '00:00:20';
GO

SELECT value FROM dbo.numbers ORDER BY value;
SELECT reason, CAST(message_body AS nvarchar(20)) AS body FROM dbo.badMessages ORDER BY id;
SELECT is_receive_enabled FROM sys.service_queues WHERE name = N'numberQueue';
GO
--! rows
--! 17
--! 18
--! rows
--! taken out by hand | seventeen
--! This is no number. | eighteen
--! rows
--! 1

-- The sender was told both times.
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') AS code,
       CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(100)') AS description
FROM senderQueue
ORDER BY description;
GO
--! rows
--! 100 | Only numbers, please.
--! 100 | This is no number.

-- A queue may also do without the five-rollbacks rule; its procedure must then cope.
ALTER QUEUE numberQueue WITH POISON_MESSAGE_HANDLING (STATUS = OFF);
SELECT is_poison_message_handling_enabled FROM sys.service_queues WHERE name = N'numberQueue';
GO
--! rows
--! 0
