-- Forms that only the product before its release had are syntax errors, and what they mean now.
CREATE DATABASE Old;
GO
USE Old;
CREATE MESSAGE TYPE A; CREATE MESSAGE TYPE B;
CREATE CONTRACT C1 (A SENT BY ANY); CREATE CONTRACT C2 (A SENT BY ANY);
CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
CREATE USER Ann WITHOUT LOGIN;
GO
DROP MESSAGE TYPE A, B;
GO
--! error 102 text one name
DROP CONTRACT C1, C2;
GO
--! error 102
SELECT COUNT(*) FROM sys.service_message_types WHERE name IN ('A', 'B'); SELECT COUNT(*) FROM sys.service_contracts WHERE name IN ('C1', 'C2');
GO
--! rows
--! 2
--! rows
--! 2
--! spec OLD-2
CREATE REMOTE SERVICE BINDING R TO SERVICE 'x' ON CONTRACT C1 WITH USER = Ann;
GO
--! error 156
--! spec OLD-3
CREATE CERTIFICATE K FROM FILE = 'a.cer' WITH PRIVATE_KEY (FILE = 'a.pvk', DECRYPTION_PASSWORD = 'p');
GO
--! error 102
CREATE CERTIFICATE K FROM FILE = 'a.cer' WITH PRIVATE KEY (FILE = 'a.pvk', DECRYPTION_PASSWORD = 'p');
GO
--! error 102
--! spec OLD-4
ALTER MESSAGE TYPE A AUTHORIZATION Ann;
GO
--! error 156
--! spec OLD-5
WAITFOR (RECEIVE * FROM Q), TIMEOUT = 100;
GO
--! error 102
WAITFOR (RECEIVE * FROM Q), TIMEOUT 100;
SELECT max_wait_time_ms FROM sys.dm_os_wait_stats WHERE wait_type = 'BROKER_RECEIVE_WAITFOR';
GO
--! rows
--! rows
--! 100
--! spec OLD-6
-- A timer counts seconds; its message is DialogTimer. Message status 1 is ready.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 2;
GO
--! advance 1900ms
SELECT COUNT(*) FROM Q;
GO
--! rows
--! 0
--! advance 200ms
SELECT status, message_type_name FROM Q;
ALTER QUEUE Q WITH RETENTION = ON;
RECEIVE message_type_id FROM Q;
SELECT status, message_type_name FROM Q;
GO
--! rows
--! 1 | http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer
--! rows
--! 5
--! rows
--! 0 | http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer
--! spec OLD-1 OLD-7
