-- What the broker options leave, what they don't wait for, and what sys.databases shows.
CREATE DATABASE First;
CREATE DATABASE Second;
GO
SELECT COUNT(DISTINCT service_broker_guid), COUNT(*) FROM sys.databases WHERE name <> 'master';
SELECT name, is_broker_enabled FROM sys.databases WHERE name IN ('msdb', 'master', 'First') ORDER BY name;
SELECT is_honor_broker_priority_on, is_trustworthy_on, delayed_durability, delayed_durability_desc FROM sys.databases WHERE name = 'First';
GO
--! rows
--! 5 | 5
--! rows
--! First | 1
--! master | 0
--! msdb | 1
--! rows
--! 0 | 0 | 0 | DISABLED
--! spec IDENTITY-1 IDENTITY-14 IDENTITY-16
ALTER DATABASE master SET ENABLE_BROKER;
GO
--! error 5058
--! spec IDENTITY-18
-- Three options take effect at once, whoever is in the database.
--! session other IN First
SELECT DB_NAME();
GO
--! session main
ALTER DATABASE First SET TRUSTWORTHY ON;
ALTER DATABASE First SET HONOR_BROKER_PRIORITY ON;
ALTER DATABASE First SET DELAYED_DURABILITY = ALLOWED;
SELECT is_honor_broker_priority_on, is_trustworthy_on, delayed_durability, delayed_durability_desc FROM sys.databases WHERE name = 'First';
ALTER DATABASE First SET DELAYED_DURABILITY = FORCED;
SELECT delayed_durability, delayed_durability_desc FROM sys.databases WHERE name = 'First';
ALTER DATABASE First SET DELAYED_DURABILITY = DISABLED;
ALTER DATABASE First SET HONOR_BROKER_PRIORITY OFF;
SELECT is_honor_broker_priority_on, delayed_durability FROM sys.databases WHERE name = 'First';
GO
--! rows
--! 1 | 1 | 1 | ALLOWED
--! rows
--! 2 | FORCED
--! rows
--! 0 | 0
--! spec ALTERDB-33 ALTERDB-34 ALTERDB-35 ALTERDB-36
--! session other
USE master;
GO
--! session main
ALTER DATABASE Second SET TRUSTWORTHY ON;
USE First;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd1';
SELECT is_master_key_encrypted_by_server FROM sys.databases WHERE name IN ('First', 'Second') ORDER BY name;
ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY;
SELECT is_master_key_encrypted_by_server FROM sys.databases WHERE name = 'First';
GO
--! rows
--! 1
--! 0
--! rows
--! 0
--! spec DATABASESTATE-3
-- DISABLE_BROKER: frozen. Nothing out, nothing in, no activation, no timers.
USE Second;
CREATE QUEUE Q;
CREATE SERVICE Second ON QUEUE Q ([DEFAULT]);
USE First;
CREATE QUEUE Q;
CREATE SERVICE First ON QUEUE Q ([DEFAULT]);
CREATE TABLE H (name nvarchar(10), h uniqueidentifier);
GO
CREATE PROCEDURE Take AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM Q;
END;
GO
DECLARE @h uniqueidentifier, @own uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE First TO SERVICE 'Second' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'begin');
BEGIN DIALOG @own FROM SERVICE First TO SERVICE 'First' WITH ENCRYPTION = OFF, LIFETIME = 100;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 10;
INSERT INTO H VALUES (N'far', @h), (N'own', @own);
USE Second;
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Q;
INSERT INTO First.dbo.H VALUES (N'back', @t);
USE First;
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Take, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
ALTER DATABASE First SET DISABLE_BROKER;
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors WHERE database_id = DB_ID();
GO
--! rows
--! 0
-- Local statements work as ever.
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'far'), @own uniqueidentifier = (SELECT h FROM H WHERE name = 'own'), @new uniqueidentifier;
SEND ON CONVERSATION @h (N'out');
SEND ON CONVERSATION @own (N'in');
BEGIN DIALOG @new FROM SERVICE First TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @new (N'new');
RECEIVE * FROM Q;
SELECT to_service_name, CASE WHEN transmission_status LIKE '%disabled in the database of the sender%' THEN 9791 END FROM sys.transmission_queue ORDER BY 1;
GO
--! rows
--! rows
--! First | 9791
--! Nobody | 9791
--! Second | 9791
--! spec ALTERDB-2 ALTERDB-8 IDENTITY-11 DELAY-4
USE Second;
DECLARE @t uniqueidentifier = (SELECT h FROM First.dbo.H WHERE name = 'back');
SEND ON CONVERSATION @t (N'reply');
SELECT CASE WHEN transmission_status LIKE '%administratively disabled%' THEN 28013 END FROM sys.transmission_queue;
GO
--! rows
--! 28013
--! advance 200s
SELECT COUNT(*) FROM First.dbo.Q;
SELECT COUNT(*) FROM First.sys.conversation_endpoints WHERE state = 'ER';
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! 1
--! spec ALTERDB-3 ALTERDB-4 DELAY-15
-- ENABLE_BROKER: all of it goes on, and what fell due meanwhile happens now.
USE First;
ALTER QUEUE Q WITH ACTIVATION (STATUS = OFF);
ALTER DATABASE First SET ENABLE_BROKER;
GO
--! settle
SELECT message_type_id, CAST(message_body AS nvarchar(10)) FROM Q WHERE message_type_id <> 1 ORDER BY message_type_id;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = (SELECT h FROM H WHERE name = 'own');
SELECT CAST(message_body AS nvarchar(10)) FROM Second.dbo.Q;
SELECT to_service_name FROM sys.transmission_queue WHERE to_service_name <> 'First';
SELECT COUNT(*) FROM Second.sys.transmission_queue;
GO
--! rows
--! 5 | NULL
--! 14 | reply
--! rows
--! ER
--! rows
--! out
--! rows
--! Nobody
--! rows
--! 0
--! spec ALTERDB-1 ALTERDB-5 ALTERDB-9
-- NEW_BROKER deletes everything, pending messages too, and tells nobody.
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'far');
ALTER QUEUE Q WITH STATUS = OFF;
SEND ON CONVERSATION @h (N'delivered');
ALTER DATABASE CURRENT SET NEW_BROKER;
ALTER QUEUE Q WITH STATUS = ON;
SELECT (SELECT COUNT(*) FROM sys.conversation_endpoints), (SELECT COUNT(*) FROM Q), (SELECT COUNT(*) FROM sys.transmission_queue),
    (SELECT COUNT(*) FROM sys.conversation_groups);
SELECT state FROM Second.sys.conversation_endpoints;
SELECT message_type_id FROM Second.dbo.Q;
GO
--! rows
--! 0 | 0 | 0 | 0
--! rows
--! CO
--! rows
--! 14
--! 14
--! spec ALTERDB-26 ALTERDB-27 ALTERDB-32
-- A route to the old id leads nowhere now.
DECLARE @guid nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Second'), @sql nvarchar(max);
SET @sql = N'CREATE ROUTE ToSecond WITH SERVICE_NAME = ''Second'', BROKER_INSTANCE = ''' + @guid + N''', ADDRESS = ''LOCAL''';
EXEC (@sql);
ALTER DATABASE Second SET NEW_BROKER;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE First TO SERVICE 'Second', @guid WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'where?');
SELECT CASE WHEN transmission_status LIKE '%target broker%' THEN 9795 END FROM sys.transmission_queue;
SELECT COUNT(*) FROM Second.dbo.Q;
GO
--! rows
--! 9795
--! rows
--! 0
--! spec IDENTITY-13 IDENTITY-4
-- The rights and the places of the statement.
BEGIN TRANSACTION;
ALTER DATABASE First SET NEW_BROKER;
GO
--! error 226
ROLLBACK;
ALTER DATABASE Nowhere SET ENABLE_BROKER;
GO
--! error 5011
CREATE USER plain WITHOUT LOGIN;
EXECUTE AS USER = 'plain';
ALTER DATABASE First SET DISABLE_BROKER;
GO
--! error 5011 severity 14
REVERT;
GO
--! spec ALTERDB-30 ALTERDB-31 ALTERDB-37
