-- A transaction that receives from two queues counts for each of them that handles poison messages, whichever was made first.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Careless WITH POISON_MESSAGE_HANDLING (STATUS = OFF);
CREATE QUEUE Careful;
CREATE SERVICE Starter ON QUEUE Careless ([DEFAULT]);
CREATE SERVICE Target ON QUEUE Careful ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
BEGIN DIALOG @h FROM SERVICE Target TO SERVICE 'Starter' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'two');
GO
BEGIN TRANSACTION;
RECEIVE TOP (1) conversation_handle FROM Careless;
RECEIVE TOP (1) conversation_handle FROM Careful;
ROLLBACK;
GO 5
SELECT name, is_receive_enabled FROM sys.service_queues WHERE name LIKE 'Care%' ORDER BY name;
GO
--! rows
--! Careful | 0
--! Careless | 1
--! spec POISON-1 POISON-17
