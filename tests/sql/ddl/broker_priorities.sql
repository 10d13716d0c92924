-- Broker priorities: statement forms, defaults, limits; the priority of a group; the level that a transmission row shows.
CREATE DATABASE Levels;
GO
USE Levels;
CREATE CONTRACT C ([DEFAULT] SENT BY ANY);
CREATE QUEUE Q; CREATE QUEUE Inbox;
CREATE SERVICE S ON QUEUE Q; CREATE SERVICE T ON QUEUE Inbox (C, [DEFAULT]);
CREATE USER Ann WITHOUT LOGIN;
CREATE BROKER PRIORITY Plain FOR CONVERSATION;
CREATE BROKER PRIORITY OnlyLevel FOR CONVERSATION SET (PRIORITY_LEVEL = DEFAULT, REMOTE_SERVICE_NAME = 'x');
SELECT name, service_contract_id, local_service_id, remote_service_name, priority FROM sys.conversation_priorities ORDER BY name;
GO
--! rows
--! OnlyLevel | NULL | NULL | x | 5
--! Plain | NULL | NULL | NULL | 5
--! spec PRIORITY-1 PRIORITY-3
CREATE BROKER PRIORITY Empty FOR CONVERSATION SET ();
GO
--! error 102
--! spec PRIORITY-4
ALTER BROKER PRIORITY Plain FOR CONVERSATION;
GO
--! error 102
CREATE BROKER PRIORITY NoWord SET (PRIORITY_LEVEL = 1);
GO
--! error 156
-- ALTER keeps the rest, and may not make two of one triple.
ALTER BROKER PRIORITY OnlyLevel FOR CONVERSATION SET (PRIORITY_LEVEL = 10, CONTRACT_NAME = C);
SELECT name, CASE WHEN service_contract_id IS NOT NULL THEN 'C' END, local_service_id, remote_service_name, priority
FROM sys.conversation_priorities WHERE name = 'OnlyLevel';
ALTER BROKER PRIORITY OnlyLevel FOR CONVERSATION SET (REMOTE_SERVICE_NAME = ANY);
GO
--! rows
--! OnlyLevel | C | NULL | x | 10
ALTER BROKER PRIORITY OnlyLevel FOR CONVERSATION SET (CONTRACT_NAME = ANY);
GO
--! error 33303
--! spec PRIORITY-5 PRIORITY-8
DECLARE @sql nvarchar(1000) = N'CREATE BROKER PRIORITY Long FOR CONVERSATION SET (REMOTE_SERVICE_NAME = ''' + REPLICATE(N'x', 257) + N''')';
EXEC (@sql);
GO
--! error 33301
DECLARE @sql nvarchar(1000) = N'CREATE BROKER PRIORITY Long FOR CONVERSATION SET (REMOTE_SERVICE_NAME = ''' + REPLICATE(N'x', 256) + N''')';
EXEC (@sql);
SELECT LEN(remote_service_name) FROM sys.conversation_priorities WHERE name = 'Long';
DROP BROKER PRIORITY Long;
GO
--! rows
--! 256
--! spec PRIORITY-11
-- The right is ALTER on the database.
EXECUTE AS USER = 'Ann';
CREATE BROKER PRIORITY Mine FOR CONVERSATION SET (LOCAL_SERVICE_NAME = S);
GO
--! error 15247
REVERT;
GRANT ALTER TO Ann;
EXECUTE AS USER = 'Ann';
CREATE BROKER PRIORITY Mine FOR CONVERSATION SET (LOCAL_SERVICE_NAME = S);
ALTER BROKER PRIORITY Mine FOR CONVERSATION SET (PRIORITY_LEVEL = 2);
REVERT;
DROP BROKER PRIORITY Mine;
GO
--! spec PRIORITY-19
-- A group counts as the highest of its conversations that have messages now.
DROP BROKER PRIORITY Plain; DROP BROKER PRIORITY OnlyLevel;
CREATE BROKER PRIORITY High FOR CONVERSATION SET (CONTRACT_NAME = C, LOCAL_SERVICE_NAME = T, PRIORITY_LEVEL = 9);
CREATE BROKER PRIORITY Low FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT], LOCAL_SERVICE_NAME = T, PRIORITY_LEVEL = 3);
DECLARE @high uniqueidentifier, @low uniqueidentifier, @mid uniqueidentifier, @group uniqueidentifier, @target uniqueidentifier;
BEGIN DIALOG @low FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @low (N'low');
BEGIN DIALOG @high FROM SERVICE S TO SERVICE 'T' ON CONTRACT C WITH ENCRYPTION = OFF; SEND ON CONVERSATION @high (N'high');
SELECT @group = conversation_group_id FROM Inbox WHERE priority = 3;
SELECT @target = conversation_handle FROM Inbox WHERE priority = 9;
MOVE CONVERSATION @target TO @group;
ALTER BROKER PRIORITY Low FOR CONVERSATION SET (PRIORITY_LEVEL = 6);
BEGIN DIALOG @mid FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @mid (N'middle');
-- 9 and 3 in one group, 6 in another: the first group goes first, until only its 3 is left.
RECEIVE TOP (1) priority, CAST(message_body AS nvarchar(10)) FROM Inbox;
RECEIVE TOP (1) priority, CAST(message_body AS nvarchar(10)) FROM Inbox;
RECEIVE TOP (1) priority, CAST(message_body AS nvarchar(10)) FROM Inbox;
GO
--! rows
--! 9 | high
--! rows
--! 6 | middle
--! rows
--! 3 | low
--! spec PRIORITY-22
-- The row in the transmission queue has the endpoint's level although HONOR_BROKER_PRIORITY is off.
CREATE BROKER PRIORITY Far FOR CONVERSATION SET (REMOTE_SERVICE_NAME = 'Elsewhere', PRIORITY_LEVEL = 8);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Elsewhere' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
SELECT t.priority, e.priority, d.is_honor_broker_priority_on FROM sys.transmission_queue t
JOIN sys.conversation_endpoints e ON e.conversation_handle = t.conversation_handle JOIN sys.databases d ON d.database_id = DB_ID();
GO
--! rows
--! 8 | 8 | 0
--! spec PRIORITY-24
