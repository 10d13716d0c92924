-- The queue keeps ids, and the columns with names are found when they are read: what was dropped while its message waits has no name.
CREATE DATABASE Dropped;
GO
USE Dropped;
CREATE MESSAGE TYPE M1; CREATE MESSAGE TYPE M2;
CREATE CONTRACT K (M1 SENT BY ANY, M2 SENT BY ANY);
CREATE CONTRACT Stays ([DEFAULT] SENT BY ANY);
CREATE QUEUE q WITH RETENTION = ON;
CREATE SERVICE s ON QUEUE q (K, Stays);
GO
DECLARE @h uniqueidentifier, @other uniqueidentifier;
BEGIN DIALOG @other FROM SERVICE s TO SERVICE 's' ON CONTRACT Stays WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @other (0x00);
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT K WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M1 (0x01);
SEND ON CONVERSATION @h MESSAGE TYPE M2 (0x02);
GO
ALTER SERVICE s (DROP CONTRACT K);
DROP CONTRACT K;
DROP MESSAGE TYPE M1;
SELECT status, message_type_name, service_contract_name, service_name, message_body FROM q WHERE status IN (1, 3) AND message_type_id <> 1 ORDER BY message_body, status;
GO
--! rows
--! 1 | DEFAULT | Stays | s | 0x00
--! 3 | DEFAULT | Stays | s | 0x00
--! 1 | NULL | NULL | s | 0x01
--! 3 | NULL | NULL | s | 0x01
--! 1 | M2 | NULL | s | 0x02
--! 3 | M2 | NULL | s | 0x02
--! spec QUEUE-59
-- A type of the same name is another one.
CREATE MESSAGE TYPE M1;
SELECT message_type_name FROM q WHERE status = 1 AND message_body = 0x01;
-- RECEIVE of rows, INTO, and into a variable; a type that is changed keeps its name.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM q WHERE status = 1 AND message_body = 0x01), @name sysname = N'same';
BEGIN TRANSACTION;
RECEIVE message_type_name, service_contract_name, service_name, CAST(message_body AS binary(1)) FROM q WHERE conversation_handle = @h;
ROLLBACK;
DECLARE @rows TABLE (type nvarchar(256), contract nvarchar(256));
BEGIN TRANSACTION;
RECEIVE message_type_name, service_contract_name FROM q INTO @rows WHERE conversation_handle = @h;
SELECT COUNT(*), COUNT(type), COUNT(contract) FROM @rows;
ROLLBACK;
RECEIVE TOP (1) @name = message_type_name FROM q WHERE conversation_handle = @h;
RECEIVE TOP (1) @name = message_type_name FROM q WHERE conversation_handle = @h;
SELECT @name;
GO
--! rows
--! NULL
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | NULL | s | 0xFF
--! NULL | NULL | s | 0x01
--! M2 | NULL | s | 0x02
--! rows
--! 3 | 2 | 0
--! rows
--! NULL
