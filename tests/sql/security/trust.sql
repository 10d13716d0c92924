-- Dialogs between databases: who may, and with which keys.
CREATE DATABASE Here; CREATE DATABASE There;
GO
USE There; CREATE QUEUE Q; CREATE SERVICE Target ON QUEUE Q ([DEFAULT]);
USE Here; CREATE QUEUE Q; CREATE SERVICE Start ON QUEUE Q;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'plain');
SELECT IIF(transmission_status LIKE '%cannot reach the database "There"%', 'the text of 916', transmission_status) FROM sys.transmission_queue;
SELECT COUNT(*) FROM There.dbo.Q;
GO
--! rows
--! the text of 916
--! rows
--! 0
--! spec TRUST-9
USE There; GRANT SEND ON SERVICE::Target TO public; USE Here;
GO
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue; SELECT CAST(message_body AS nvarchar(10)) FROM There.dbo.Q;
GO
--! rows
--! 0
--! rows
--! plain
--! spec TRUST-8
-- A master key that the service master key does not open is none for background work.
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'a'; USE There; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'b'; USE Here;
ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target'; SEND ON CONVERSATION @h (N'secret');
SELECT IIF(transmission_status LIKE '%master key in the database ''Here''%', 'the text of 28054', transmission_status) FROM sys.transmission_queue;
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'a'; ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY; CLOSE MASTER KEY;
GO
--! rows
--! the text of 28054
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue; SELECT CAST(message_body AS nvarchar(10)) FROM There.dbo.Q ORDER BY queuing_order;
GO
--! rows
--! 0
--! rows
--! plain
--! secret
--! spec KEY-11
