-- Broker options of databases, USE, CREATE and DROP DATABASE, system databases.
CREATE DATABASE One;
CREATE DATABASE Two;
GO
SELECT name, is_broker_enabled, is_trustworthy_on, is_honor_broker_priority_on, delayed_durability_desc,
    CASE WHEN service_broker_guid IS NULL THEN 'no' ELSE 'guid' END FROM sys.databases WHERE name IN ('One', 'Two', 'msdb') ORDER BY name;
SELECT COUNT(DISTINCT service_broker_guid) FROM sys.databases WHERE name IN ('One', 'Two');
GO
--! rows
--! msdb | 1 | * | 0 | DISABLED | guid
--! One | 1 | 0 | 0 | DISABLED | guid
--! Two | 1 | 0 | 0 | DISABLED | guid
--! rows
--! 2
CREATE DATABASE One;
GO
--! error 1801
USE Nowhere;
GO
--! error 911
DROP DATABASE Nowhere;
GO
--! error 3701
DROP DATABASE msdb;
GO
--! error 3708
ALTER DATABASE Nowhere SET ENABLE_BROKER;
GO
--! error 5011
-- AutoCreatedLocal is in every database but master (1.3).
SELECT name, remote_service_name, broker_instance, lifetime, address, mirror_address FROM One.sys.routes;
SELECT address FROM msdb.sys.routes;
SELECT COUNT(*) FROM master.sys.routes;
GO
--! rows
--! AutoCreatedLocal | NULL | NULL | NULL | LOCAL | NULL
--! rows
--! LOCAL
--! rows
--! 0
USE One;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
-- ALTER DATABASE cannot run in a user transaction.
BEGIN TRANSACTION;
ALTER DATABASE One SET DISABLE_BROKER;
GO
--! error 226
ROLLBACK;
GO
-- DISABLE_BROKER: sends wait with 9791, nothing is activated; ENABLE_BROKER keeps the GUID and lets them go.
DECLARE @h uniqueidentifier, @guid uniqueidentifier = (SELECT service_broker_guid FROM sys.databases WHERE name = 'One');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'before');
ALTER DATABASE One SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'One';
SEND ON CONVERSATION @h (N'while off');
SELECT CAST(message_body AS nvarchar(20)), CASE WHEN transmission_status LIKE '%broker%disabled%' THEN '9791' ELSE transmission_status END FROM sys.transmission_queue;
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q2;
ALTER DATABASE One SET ENABLE_BROKER WITH NO_WAIT;
SELECT is_broker_enabled, CASE WHEN service_broker_guid = @guid THEN 'kept' END FROM sys.databases WHERE name = 'One';
GO
--! rows
--! 0
--! rows
--! while off | 9791
--! rows
--! before
--! rows
--! 1 | kept
--! advance 70s
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q2;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! while off
--! rows
--! 0
-- ERROR_BROKER_CONVERSATIONS: -9719 in the local queues, the GUID stays.
DECLARE @guid uniqueidentifier = (SELECT service_broker_guid FROM sys.databases WHERE name = 'One');
ALTER DATABASE CURRENT SET ERROR_BROKER_CONVERSATIONS;
SELECT state FROM sys.conversation_endpoints;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1
UNION ALL SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q2;
SELECT is_broker_enabled, CASE WHEN service_broker_guid = @guid THEN 'kept' END FROM sys.databases WHERE name = 'One';
GO
--! rows
--! ER
--! ER
--! rows
--! -9719
--! -9719
--! rows
--! 1 | kept
--! spec ALTERDB-28 IDENTITY-4
-- NEW_BROKER: a new GUID, all conversations gone without a message.
DECLARE @guid uniqueidentifier = (SELECT service_broker_guid FROM sys.databases WHERE name = 'One');
ALTER DATABASE One SET NEW_BROKER;
SELECT COUNT(*) FROM sys.conversation_endpoints;
SELECT (SELECT COUNT(*) FROM Q1) + (SELECT COUNT(*) FROM Q2);
SELECT is_broker_enabled, CASE WHEN service_broker_guid <> @guid THEN 'new' END FROM sys.databases WHERE name = 'One';
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! 1 | new
-- Dialogs of two databases: ERROR in one gives -9720 to the peer in the other; a dropped database answers -8462.
USE Two;
CREATE QUEUE Q2;
CREATE SERVICE Far ON QUEUE Q2 ([DEFAULT]);
ALTER DATABASE One SET TRUSTWORTHY ON;
USE One;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Far' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'over there');
SELECT CAST(message_body AS nvarchar(20)) FROM Two.dbo.Q2;
ALTER DATABASE Two SET ERROR_BROKER_CONVERSATIONS;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1;
END CONVERSATION @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Far' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'again');
GO
--! rows
--! over there
--! rows
--! -9720
--! spec ALTERDB-29
-- RECEIVE from another database by a three-part name.
RECEIVE message_type_name, CAST(message_body AS nvarchar(20)) FROM Two.dbo.Q2 WHERE conversation_handle = '00000000-0000-0000-0000-000000000001';
GO
--! error 8426
RECEIVE TOP (1) service_name FROM Two.dbo.Q2;
GO
--! rows
--! Far
-- A database in use is not dropped (3702).
--! session other IN Two
SELECT DB_NAME();
GO
--! rows
--! Two
--! session main
DROP DATABASE Two;
GO
--! error 3702
--! session other
USE master;
GO
--! session main
DROP DATABASE Two;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE state = 'CO');
SEND ON CONVERSATION @h (N'nobody there');
SELECT COUNT(*) FROM sys.databases WHERE name = 'Two';
GO
--! rows
--! 0
-- A peer that sends to a service that does not exist waits for it (7.8): created later, it gets the message.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Later' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'patience');
SELECT CAST(message_body AS nvarchar(20)), GET_TRANSMISSION_STATUS(@h) FROM sys.transmission_queue WHERE to_service_name = 'Later';
CREATE QUEUE Q9;
CREATE SERVICE Later ON QUEUE Q9 ([DEFAULT]);
GO
--! rows
--! patience | *
--! advance 70s
SELECT CAST(message_body AS nvarchar(20)) FROM Q9;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'Later';
GO
--! rows
--! patience
--! rows
--! 0
