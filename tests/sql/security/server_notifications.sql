-- Notifications of the server, and what becomes of one whose target is gone, ends or refuses.
CREATE DATABASE Events; CREATE DATABASE Second;
GO
USE Events;
CREATE QUEUE N; CREATE SERVICE NS ON QUEUE N ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
GO
CREATE PROCEDURE Drain AS
BEGIN
    DECLARE @t TABLE (s tinyint);
    WHILE (SELECT COUNT(*) FROM N) > 0 RECEIVE status FROM N INTO @t;
END;
GO
CREATE EVENT NOTIFICATION OnServer ON SERVER FOR DDL_EVENTS TO SERVICE 'NS', 'current database';
SELECT name, parent_class, parent_class_desc, parent_id, SUSER_NAME(principal_id) FROM sys.server_event_notifications;
SELECT COUNT(*) FROM sys.event_notifications;
SELECT type_desc, event_group_type_desc FROM sys.server_events WHERE type IN (21, 144) ORDER BY type;
GO
--! rows
--! OnServer | 100 | SERVER | 0 | sa
--! rows
--! 0
--! rows
--! CREATE_TABLE | DDL_EVENTS
--! CREATE_LOGIN | DDL_EVENTS
--! spec EVENTVIEW-2 EVENTVIEW-3
CREATE EVENT NOTIFICATION OnServer ON SERVER FOR CREATE_LOGIN TO SERVICE 'NS', 'current database';
GO
--! error 2714
CREATE EVENT NOTIFICATION OnServer ON DATABASE FOR CREATE_ROLE TO SERVICE 'NS', 'current database';
CREATE EVENT NOTIFICATION OnServer ON DATABASE FOR CREATE_ROLE TO SERVICE 'NS', 'current database';
GO
--! error 2714
--! spec NOTIFY-8
DROP EVENT NOTIFICATION OnServer ON DATABASE;
GO
--! settle
EXEC Drain;
-- Any database, and the server itself; sent through msdb.
CREATE LOGIN Kim WITH PASSWORD = 'secret';
USE Second; CREATE TABLE T (a int); USE Events;
GO
--! settle
SELECT CAST(message_body AS xml).value('(//EventType)[1]', 'sysname'), CAST(message_body AS xml).value('(//DatabaseName)[1]', 'sysname'),
    CAST(message_body AS xml).value('(//CommandText)[1]', 'nvarchar(100)') FROM N ORDER BY queuing_order;
SELECT COUNT(*) FROM msdb.sys.conversation_endpoints WHERE is_initiator = 1; SELECT COUNT(*) FROM Second.sys.conversation_endpoints;
EXEC Drain;
GO
--! rows
--! CREATE_LOGIN | NULL | CREATE LOGIN Kim WITH PASSWORD = '******'
--! CREATE_TABLE | Second | CREATE TABLE T (a int)
--! rows
--! 1
--! rows
--! 0
--! spec DELIVER-9 DOCUMENT-4 DOCUMENT-5
ALTER DATABASE msdb SET DISABLE_BROKER;
CREATE TABLE T2 (a int);
GO
--! settle
--! log 8355
SELECT COUNT(*) FROM N WHERE CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') = 'T2';
ALTER DATABASE msdb SET ENABLE_BROKER;
DROP EVENT NOTIFICATION OnServer ON SERVER;
GO
--! rows
--! 0
--! spec DELIVER-10
--! settle
EXEC Drain;
GO
-- The target ends the conversation: silent from then on.
CREATE EVENT NOTIFICATION Plain ON DATABASE FOR CREATE_ROLE TO SERVICE 'NS', 'current database';
CREATE ROLE R1;
GO
--! settle
DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM N; END CONVERSATION @h;
CREATE ROLE R2; CREATE ROLE R3;
GO
--! settle
--! log 17004
SELECT COUNT(*) FROM N; SELECT name FROM sys.event_notifications; SELECT COUNT(*) FROM sys.database_principals WHERE name = 'R2';
DROP EVENT NOTIFICATION Plain ON DATABASE;
GO
--! rows
--! 0
--! rows
--! Plain
--! rows
--! 1
--! spec DELIVER-6 DELIVER-15
-- With an error: dropped; the error lies in the errors queue.
CREATE EVENT NOTIFICATION Failed ON DATABASE FOR CREATE_ROLE TO SERVICE 'NS', 'current database';
CREATE ROLE R4;
GO
--! settle
DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM N; END CONVERSATION @h WITH ERROR = 7 DESCRIPTION = 'no more';
SELECT CAST(CAST(message_body AS xml).query('declare namespace e = "http://schemas.microsoft.com/SQL/ServiceBroker/Error"; /e:Error/e:Description/text()') AS nvarchar(20))
FROM EventNotificationErrorsQueue WHERE message_type_name LIKE '%/Error';
CREATE ROLE R5;
GO
--! rows
--! no more
--! settle
--! log 17003
--! log 17005 Failed
SELECT COUNT(*) FROM sys.event_notifications; SELECT COUNT(*) FROM sys.database_principals WHERE name = 'R5';
GO
--! rows
--! 0
--! rows
--! 1
--! spec DELIVER-7 DELIVER-8 DELIVER-15
-- A service that does not take the contract; one that is not there.
CREATE QUEUE N2; CREATE SERVICE Deaf ON QUEUE N2 ([DEFAULT]);
CREATE EVENT NOTIFICATION ToDeaf ON DATABASE FOR CREATE_ROLE TO SERVICE 'Deaf', 'current database';
CREATE ROLE R6;
GO
--! settle
CREATE ROLE R7;
GO
--! settle
--! log 17003
--! log 17005 ToDeaf
CREATE EVENT NOTIFICATION ToNobody ON DATABASE FOR CREATE_ROLE TO SERVICE 'Nobody', 'current database';
CREATE ROLE R8;
GO
--! spec DELIVER-5
--! settle
SELECT to_service_name FROM sys.transmission_queue;
DROP EVENT NOTIFICATION ToNobody ON DATABASE;
GO
--! rows
--! Nobody
--! spec DELIVER-18
-- A locked conversation group holds nobody up: other notifications go out, its own when the lock is gone.
CREATE EVENT NOTIFICATION Held ON DATABASE FOR CREATE_ROLE TO SERVICE 'NS', 'current database';
CREATE ROLE R9;
GO
--! settle
RECEIVE status FROM N;
CREATE EVENT NOTIFICATION Free ON DATABASE FOR CREATE_ROLE TO SERVICE 'NS', 'current database';
GO
--! rows
--! 0
--! session holder IN Events
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1 AND state = 'CO');
BEGIN TRANSACTION;
END CONVERSATION @h;
GO
--! session main
CREATE ROLE R10;
GO
--! settle
SELECT COUNT(*) FROM N;
GO
--! rows
--! 1
--! session holder
ROLLBACK;
GO
--! settle
--! session main
SELECT COUNT(*) FROM N;
GO
--! rows
--! 2
--! spec DELIVER-16
-- Inside a trigger that ends the transaction nothing is sent of it.
EXEC Drain;
GO
CREATE TRIGGER Undo ON DATABASE FOR CREATE_ROLE AS ROLLBACK;
GO
CREATE ROLE R11;
GO
--! error 3609
--! settle
SELECT COUNT(*) FROM N; SELECT COUNT(*) FROM sys.database_principals WHERE name = 'R11';
DROP TRIGGER Undo ON DATABASE;
GO
--! rows
--! 0
--! rows
--! 0
--! spec DELIVER-17
--! restart
USE Events;
CREATE ROLE R12;
GO
--! settle
SELECT COUNT(*), COUNT(DISTINCT conversation_handle) FROM N; SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1 AND state = 'CO';
GO
--! rows
--! 2 | 2
--! rows
--! 2
--! spec DELIVER-20
