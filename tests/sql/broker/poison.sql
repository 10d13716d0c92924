-- Five rollbacks in a row of transactions that received: the queue goes off.
CREATE DATABASE Poison;
GO
USE Poison;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'bad');
GO
DECLARE @i int = 0;
WHILE @i < 4
BEGIN
    BEGIN TRANSACTION;
    RECEIVE TOP (1) * FROM Q2;
    ROLLBACK;
    SET @i += 1;
END;
GO
--! settle
SELECT is_receive_enabled, is_enqueue_enabled FROM sys.service_queues WHERE name = 'Q2';
GO
--! rows
--! 1 | 1
-- One commit in between starts the count anew; a rollback to a savepoint does not count.
BEGIN TRANSACTION;
SAVE TRANSACTION s;
RECEIVE TOP (1) * FROM Q2;
ROLLBACK TRANSACTION s;
COMMIT;
BEGIN TRANSACTION;
RECEIVE TOP (1) * FROM Q2;
COMMIT;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'bad again');
DECLARE @i int = 0;
WHILE @i < 5
BEGIN
    BEGIN TRANSACTION;
    RECEIVE TOP (1) * FROM Q2;
    ROLLBACK;
    SET @i += 1;
END;
GO
--! settle
SELECT is_receive_enabled, is_enqueue_enabled FROM sys.service_queues WHERE name = 'Q2';
SELECT status, CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE * FROM Q2;
GO
--! rows
--! 0 | 0
--! rows
--! 1 | bad again
--! error 9617
--! spec POISON-3 POISON-4
-- A message for the disabled queue waits in the transmission queue and arrives when the queue is enabled.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'later');
SELECT to_service_name, CAST(message_body AS nvarchar(10)), is_end_of_dialog FROM sys.transmission_queue;
GO
--! rows
--! S2 | later | 0
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! settle
--! advance 70s
SELECT CAST(message_body AS nvarchar(10)) FROM Q2 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! bad again
--! later
--! rows
--! 0
