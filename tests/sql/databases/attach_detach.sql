-- sp_detach_db, CREATE DATABASE … FOR ATTACH, sp_attach_db: the database leaves with its file and comes back.
CREATE DATABASE Moving ON (NAME = MovingData, FILENAME = 'C:\data\moving.mdf') LOG ON (FILENAME = 'C:\data\moving.ldf');
CREATE DATABASE Staying;
ALTER DATABASE Moving SET TRUSTWORTHY ON;
ALTER DATABASE Staying SET TRUSTWORTHY ON;
GO
USE Staying;
CREATE QUEUE Q;
CREATE SERVICE Staying ON QUEUE Q ([DEFAULT]);
USE Moving;
CREATE QUEUE Q;
CREATE SERVICE Moving ON QUEUE Q ([DEFAULT]);
CREATE TABLE T (id int);
INSERT INTO T VALUES (1);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Moving TO SERVICE 'Staying' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'before');
GO
SELECT name, physical_name FROM sys.master_files WHERE database_id = DB_ID('Moving') ORDER BY file_id;
GO
--! rows
--! MovingData | C:\data\moving.mdf
--! MovingData_log | C:\data\moving_log.ldf
EXEC sp_detach_db 'Moving';
GO
--! error 3703
USE master;
EXEC sp_detach_db 'master';
GO
--! error 7940
EXEC sp_detach_db 'Nowhere';
GO
--! error 15010
DECLARE @guid uniqueidentifier = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Moving');
CREATE TABLE tempdb.dbo.Kept (guid uniqueidentifier);
INSERT INTO tempdb.dbo.Kept VALUES (@guid);
EXEC sp_detach_db @dbname = N'Moving', @skipchecks = 'true';
SELECT COUNT(*) FROM sys.databases WHERE name = 'Moving';
GO
--! rows
--! 0
-- The peer writes to a database that is not here.
USE Staying;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @h (N'are you there?');
SELECT CAST(message_body AS nvarchar(20)) FROM sys.transmission_queue;
USE master;
GO
--! rows
--! are you there?
CREATE DATABASE Moving ON (FILENAME = 'C:\data\nothing.mdf') FOR ATTACH;
GO
--! error 5120
CREATE DATABASE Staying ON (FILENAME = 'C:\data\moving.mdf') FOR ATTACH;
GO
--! error 1801
-- Attached: the same id, the broker off, TRUSTWORTHY off.
CREATE DATABASE Moving ON (FILENAME = 'C:\data\moving.mdf') FOR ATTACH;
SELECT is_broker_enabled, is_trustworthy_on, CASE WHEN service_broker_guid = (SELECT guid FROM tempdb.dbo.Kept) THEN 'same' END
FROM sys.databases WHERE name = 'Moving';
SELECT id FROM Moving.dbo.T;
GO
--! rows
--! 0 | 0 | same
--! rows
--! 1
--! advance 130s
SELECT (SELECT COUNT(*) FROM Moving.dbo.Q), (SELECT COUNT(*) FROM Staying.sys.transmission_queue);
GO
--! rows
--! 0 | 1
--! spec RESTORED-4 IDENTITY-3 IDENTITY-8 IDENTITY-9 ALTERDB-23
-- Enabled, the message that waited arrives.
ALTER DATABASE Moving SET ENABLE_BROKER;
GO
--! advance 70s
SELECT CAST(message_body AS nvarchar(20)) FROM Moving.dbo.Q;
EXEC sp_detach_db 'Moving';
GO
--! rows
--! are you there?
--! spec ALTERDB-5
CREATE DATABASE Moving ON (FILENAME = 'C:\data\moving.mdf') FOR ATTACH WITH ENABLE_BROKER;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Moving';
SELECT state FROM Moving.sys.conversation_endpoints;
GO
--! rows
--! 1
--! rows
--! CO
-- Attached beside the original: the broker stays off although it was asked for.
CREATE DATABASE Twin ON (FILENAME = 'C:\data\moving.mdf') FOR ATTACH WITH ENABLE_BROKER;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Twin';
GO
--! rows
--! 0
--! log 9773 Twin
--! spec IDENTITY-7 ALTERDB-20
DROP DATABASE Moving;
EXEC sp_attach_db 'Moving', 'C:\data\moving.mdf', 'C:\data\moving.ldf';
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Moving';
EXEC sp_detach_db 'Moving';
CREATE DATABASE Moving ON (FILENAME = 'C:\data\moving.mdf') FOR ATTACH WITH ERROR_BROKER_CONVERSATIONS;
SELECT state FROM Moving.sys.conversation_endpoints;
EXEC sp_detach_db 'Moving';
CREATE DATABASE Moving ON (FILENAME = 'C:\data\moving.mdf') FOR ATTACH WITH NEW_BROKER;
SELECT COUNT(*) FROM Moving.sys.conversation_endpoints;
SELECT is_broker_enabled, CASE WHEN service_broker_guid <> (SELECT guid FROM tempdb.dbo.Kept) THEN 'new' END FROM sys.databases WHERE name = 'Moving';
GO
--! rows
--! 0
--! rows
--! ER
--! rows
--! 0
--! rows
--! 1 | new
--! spec ALTERDB-21 ALTERDB-22
-- A backup is no database file.
BACKUP DATABASE Staying TO DISK = 'staying.bak';
GO
CREATE DATABASE Again ON (FILENAME = 'staying.bak') FOR ATTACH;
GO
--! error 5171
EXEC sp_attach_single_file_db 'Again', 'C:\data\moving.mdf';
EXEC sp_renamedb 'Again', 'Renamed';
SELECT id FROM Renamed.dbo.T;
GO
--! rows
--! 1
BEGIN TRANSACTION;
EXEC sp_detach_db 'Renamed';
GO
--! error 226
ROLLBACK;
GO
-- The original is gone for good, its copy takes its place: the conversation goes on there.
USE master;
CREATE DATABASE Origin;
ALTER DATABASE Origin SET TRUSTWORTHY ON;
GO
USE Origin;
CREATE QUEUE Q;
CREATE SERVICE Origin ON QUEUE Q ([DEFAULT]);
CREATE TABLE H (h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Origin TO SERVICE 'Staying' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'from the original');
INSERT INTO H VALUES (@h);
USE master;
BACKUP DATABASE Origin TO DISK = 'origin.bak';
RESTORE DATABASE Heir FROM DISK = 'origin.bak' WITH MOVE 'Origin' TO 'heir.mdf';
ALTER DATABASE Origin SET DISABLE_BROKER;
ALTER DATABASE Heir SET ENABLE_BROKER;
ALTER DATABASE Heir SET TRUSTWORTHY ON;
GO
USE Staying;
DECLARE @t uniqueidentifier;
SELECT @t = conversation_handle FROM sys.conversation_endpoints WHERE far_service = 'Origin';
SEND ON CONVERSATION @t (N'to the heir');
USE Heir;
DECLARE @h uniqueidentifier = (SELECT h FROM H);
SEND ON CONVERSATION @h (N'from the heir');
SELECT CAST(message_body AS nvarchar(20)) FROM Heir.dbo.Q;
SELECT COUNT(*) FROM Origin.dbo.Q;
SELECT CAST(message_body AS nvarchar(20)) FROM Staying.dbo.Q WHERE conversation_handle = @t ORDER BY queuing_order;
GO
--! rows
--! to the heir
--! rows
--! 0
--! rows
--! from the original
--! from the heir
--! spec IDENTITY-15
-- All of it is still so after a restart.
--! restart
SELECT name, is_broker_enabled FROM sys.databases WHERE name IN ('Origin', 'Heir', 'Renamed', 'Twin') ORDER BY name;
SELECT CAST(message_body AS nvarchar(20)) FROM Heir.dbo.Q;
SELECT COUNT(*) FROM Origin.sys.conversation_endpoints o JOIN Heir.sys.conversation_endpoints h ON h.conversation_handle = o.conversation_handle;
SELECT id FROM Renamed.dbo.T;
USE Staying;
DECLARE @t uniqueidentifier;
SELECT @t = conversation_handle FROM sys.conversation_endpoints WHERE far_service = 'Origin';
END CONVERSATION @t;
SELECT COUNT(*) FROM Heir.dbo.Q WHERE message_type_id = 2;
GO
--! rows
--! Heir | 1
--! Origin | 0
--! Renamed | 0
--! Twin | 0
--! rows
--! to the heir
--! rows
--! 1
--! rows
--! 1
--! rows
--! 1
--! spec RESTORED-1
