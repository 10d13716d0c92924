-- The conversation of an event notification that comes back from a backup under another id, because its own is taken: the old one
-- ends, and the next event begins one. What comes back under the same ids goes on, however soon it does.
CREATE DATABASE Shop;
GO
USE Shop; CREATE QUEUE told; CREATE SERVICE told ON QUEUE told ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
CREATE EVENT NOTIFICATION hears ON DATABASE FOR CREATE_TABLE TO SERVICE 'told', 'current database';
CREATE TABLE first (a int);
GO
--! settle
USE master; BACKUP DATABASE Shop TO DISK = 'shop.bak' WITH INIT; DROP DATABASE Shop;
RESTORE DATABASE Shop FROM DISK = 'shop.bak' WITH ENABLE_BROKER;
GO
USE Shop; CREATE TABLE second (a int);
GO
--! settle
SELECT is_initiator, state_desc FROM sys.conversation_endpoints ORDER BY is_initiator;
SELECT CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM told ORDER BY queuing_order;
GO
--! rows
--! 0 | CONVERSING
--! 1 | CONVERSING
--! rows
--! first
--! second
--! spec DELIVER-20
USE master; DROP DATABASE Shop;
CREATE DATABASE Other;
GO
USE Other; CREATE TABLE a (a int); CREATE TABLE b (a int); CREATE TABLE c (a int); CREATE TABLE d (a int); CREATE TABLE e (a int); CREATE TABLE f (a int);
GO
USE master; RESTORE DATABASE Shop FROM DISK = 'shop.bak';
GO
--! settle
-- Its broker is off: nothing is said in it.
SELECT is_initiator, state_desc FROM Shop.sys.conversation_endpoints ORDER BY is_initiator;
GO
--! rows
--! 0 | CONVERSING
--! 1 | CONVERSING
ALTER DATABASE Shop SET ENABLE_BROKER;
GO
--! settle
USE Shop; CREATE TABLE second (a int);
GO
--! settle
SELECT is_initiator, state_desc FROM sys.conversation_endpoints ORDER BY is_initiator, state_desc;
SELECT message_type_name, CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM told ORDER BY queuing_order;
GO
--! rows
--! 0 | CONVERSING
--! 0 | DISCONNECTED_INBOUND
--! 1 | CONVERSING
--! 1 | DISCONNECTED_OUTBOUND
--! rows
--! http://schemas.microsoft.com/SQL/Notifications/EventNotification | first
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
--! http://schemas.microsoft.com/SQL/Notifications/EventNotification | second
--! spec DELIVER-4 DELIVER-24
-- A backup that is older than the conversation, and one in which the target has not ended it yet: the notification works again.
USE master; DROP DATABASE Shop; CREATE DATABASE Shop;
GO
USE Shop; CREATE QUEUE told; CREATE SERVICE told ON QUEUE told ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
CREATE EVENT NOTIFICATION hears ON DATABASE FOR CREATE_TABLE TO SERVICE 'told', 'current database';
GO
USE master; BACKUP DATABASE Shop TO DISK = 'early.bak' WITH INIT;
GO
USE Shop; CREATE TABLE first (a int);
GO
--! settle
USE master; BACKUP DATABASE Shop TO DISK = 'begun.bak' WITH INIT;
RESTORE DATABASE Shop FROM DISK = 'early.bak' WITH REPLACE, ENABLE_BROKER;
GO
USE Shop; CREATE TABLE second (a int);
GO
--! settle
SELECT CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM told ORDER BY queuing_order;
SELECT is_initiator, state_desc FROM sys.conversation_endpoints ORDER BY is_initiator;
GO
--! rows
--! second
--! rows
--! 0 | CONVERSING
--! 1 | CONVERSING
USE master; RESTORE DATABASE Shop FROM DISK = 'begun.bak' WITH REPLACE, ENABLE_BROKER;
GO
USE Shop; DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM told; END CONVERSATION @h;
GO
--! settle
CREATE TABLE second (a int);
GO
--! settle
--! log 17004
SELECT COUNT(*) FROM told;
GO
--! rows
--! 0
USE master; RESTORE DATABASE Shop FROM DISK = 'begun.bak' WITH REPLACE, ENABLE_BROKER;
GO
USE Shop; CREATE TABLE second (a int);
GO
--! settle
SELECT CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') FROM told ORDER BY queuing_order;
GO
--! rows
--! first
--! second
