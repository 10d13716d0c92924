-- Names of broker objects: length, letter case, #, ANY, delimiters; which of them travel and how they are compared.
CREATE DATABASE Names;
GO
USE Names;
CREATE QUEUE Q;
CREATE QUEUE Inbox;
GO
-- 128 characters, and one more.
DECLARE @long nvarchar(200) = REPLICATE(N'x', 128);
EXEC (N'CREATE MESSAGE TYPE ' + @long); EXEC (N'CREATE CONTRACT ' + @long + N' (' + @long + N' SENT BY ANY)');
EXEC (N'CREATE QUEUE ' + @long); EXEC (N'CREATE SERVICE ' + @long + N' ON QUEUE ' + @long + N' (' + @long + N')');
EXEC (N'CREATE ROUTE ' + @long + N' WITH ADDRESS = ''LOCAL'''); EXEC (N'CREATE BROKER PRIORITY ' + @long + N' FOR CONVERSATION');
SELECT LEN(m.name), LEN(c.name), LEN(q.name), LEN(s.name), LEN(r.name), LEN(p.name)
FROM sys.service_message_types m, sys.service_contracts c, sys.service_queues q, sys.services s, sys.routes r, sys.conversation_priorities p
WHERE m.name LIKE 'xxx%' AND c.name LIKE 'xxx%' AND q.name LIKE 'xxx%' AND s.name LIKE 'xxx%' AND r.name LIKE 'xxx%' AND p.name LIKE 'xxx%';
EXEC (N'DROP BROKER PRIORITY ' + @long);
GO
--! rows
--! 128 | 128 | 128 | 128 | 128 | 128
--! spec NAME-2
EXEC ('CREATE MESSAGE TYPE xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4xxxxxxxxx5xxxxxxxxx6xxxxxxxxx7xxxxxxxxx8xxxxxxxxx9xxxxxxxxx10xxxxxxxx11xxxxxxxx12xxxxxxxxx');
GO
--! error 103
EXEC ('CREATE CONTRACT [xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4xxxxxxxxx5xxxxxxxxx6xxxxxxxxx7xxxxxxxxx8xxxxxxxxx9xxxxxxxxx10xxxxxxxx11xxxxxxxx12xxxxxxxxx] ([DEFAULT] SENT BY ANY)');
GO
--! error 103
EXEC ('CREATE QUEUE xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4xxxxxxxxx5xxxxxxxxx6xxxxxxxxx7xxxxxxxxx8xxxxxxxxx9xxxxxxxxx10xxxxxxxx11xxxxxxxx12xxxxxxxxx');
GO
--! error 103
EXEC ('CREATE SERVICE xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4xxxxxxxxx5xxxxxxxxx6xxxxxxxxx7xxxxxxxxx8xxxxxxxxx9xxxxxxxxx10xxxxxxxx11xxxxxxxx12xxxxxxxxx ON QUEUE Q');
GO
--! error 103
EXEC ('CREATE BROKER PRIORITY xxxxxxxxx1xxxxxxxxx2xxxxxxxxx3xxxxxxxxx4xxxxxxxxx5xxxxxxxxx6xxxxxxxxx7xxxxxxxxx8xxxxxxxxx9xxxxxxxxx10xxxxxxxx11xxxxxxxx12xxxxxxxxx FOR CONVERSATION');
GO
--! error 103
--! spec NAME-1
-- Letter case and accents make another name.
CREATE MESSAGE TYPE order_; CREATE MESSAGE TYPE Order_; CREATE MESSAGE TYPE Órder_;
CREATE CONTRACT deal (order_ SENT BY ANY); CREATE CONTRACT Deal (Order_ SENT BY ANY);
CREATE SERVICE shop ON QUEUE Q (deal); CREATE SERVICE Shop ON QUEUE Inbox (Deal);
SELECT COUNT(*) FROM sys.service_message_types WHERE LOWER(name COLLATE Latin1_General_CI_AI) = 'order_' COLLATE Latin1_General_CI_AI;
SELECT name FROM sys.service_message_types WHERE name = 'Order_';
SELECT name FROM sys.service_contracts WHERE name = 'DEAL' OR name = 'deal';
SELECT name FROM sys.services WHERE name IN ('SHOP', 'shop');
GO
--! rows
--! 3
--! rows
--! Order_
--! rows
--! deal
--! rows
--! shop
--! spec NAME-3 NAME-4 NAME-5 NAME-6 NAME-11
DROP MESSAGE TYPE ORDER_;
GO
--! error 15151
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE SHOP TO SERVICE 'Shop';
GO
--! error 8423
-- The right letter case finds its service, the wrong one and brackets do not: no error, the message stays.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE shop TO SERVICE 'Shop' ON CONTRACT Deal WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Order_ (N'right');
BEGIN DIALOG @h FROM SERVICE shop TO SERVICE 'SHOP' ON CONTRACT Deal WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Order_ (N'wrong');
BEGIN DIALOG @h FROM SERVICE shop TO SERVICE '[Shop]' ON CONTRACT Deal WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Order_ (N'brackets');
SELECT CAST(message_body AS nvarchar(10)) FROM Inbox;
SELECT to_service_name, CAST(message_body AS nvarchar(10)) FROM sys.transmission_queue ORDER BY 1;
GO
--! rows
--! right
--! rows
--! SHOP | wrong
--! [Shop] | brackets
--! spec NAME-7 NAME-8 OBJECT-24
-- A priority's remote service and a route's service name: byte by byte.
CREATE BROKER PRIORITY Upper FOR CONVERSATION SET (REMOTE_SERVICE_NAME = 'SHOP', PRIORITY_LEVEL = 9);
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE shop TO SERVICE 'SHOP' ON CONTRACT Deal;
BEGIN DIALOG @b FROM SERVICE shop TO SERVICE 'Shop' ON CONTRACT Deal;
SELECT far_service, priority FROM sys.conversation_endpoints WHERE conversation_handle IN (@a, @b) ORDER BY far_service;
DROP BROKER PRIORITY Upper;
CREATE ROUTE Away WITH SERVICE_NAME = 'SHOP', ADDRESS = 'TCP://elsewhere:4022';
BEGIN DIALOG @b FROM SERVICE shop TO SERVICE 'Shop' ON CONTRACT Deal WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @b MESSAGE TYPE Order_ (N'still here');
SELECT COUNT(*) FROM Inbox WHERE conversation_handle <> @b AND CAST(message_body AS nvarchar(10)) = N'still here';
GO
--! rows
--! SHOP | 9
--! Shop | 5
--! rows
--! 1
--! spec NAME-9 NAME-10
-- 'CURRENT DATABASE' in any letter case for BEGIN DIALOG; in small letters for event notifications.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE shop TO SERVICE 'Shop', 'CURRENT DATABASE' ON CONTRACT Deal WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Order_ (N'upper');
BEGIN DIALOG @h FROM SERVICE shop TO SERVICE 'Shop', 'Current Database' ON CONTRACT Deal WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Order_ (N'mixed');
SELECT COUNT(*) FROM Inbox WHERE CAST(message_body AS nvarchar(10)) IN (N'upper', N'mixed');
CREATE EVENT NOTIFICATION Small ON QUEUE Inbox FOR QUEUE_ACTIVATION TO SERVICE 'Shop', 'current database';
SELECT CASE WHEN n.broker_instance = CAST(d.service_broker_guid AS nvarchar(40)) THEN 'here' END FROM sys.event_notifications n
JOIN sys.databases d ON d.name = 'Names';
DROP EVENT NOTIFICATION Small ON QUEUE Inbox;
GO
--! rows
--! 2
--! rows
--! here
CREATE EVENT NOTIFICATION Large ON QUEUE Inbox FOR QUEUE_ACTIVATION TO SERVICE 'Shop', 'CURRENT DATABASE';
GO
--! error 2116
--! spec NAME-12 NAME-13
-- URL-like names and [DEFAULT] are delimited.
CREATE MESSAGE TYPE [//names.com/a/b];
CREATE MESSAGE TYPE "//names.com/c";
SELECT name FROM sys.service_message_types WHERE name LIKE '//names%' ORDER BY name;
GO
--! rows
--! //names.com/a/b
--! //names.com/c
CREATE MESSAGE TYPE //names.com/d;
GO
--! error 102
CREATE CONTRACT WithDefault (DEFAULT SENT BY ANY);
GO
--! error 156
CREATE CONTRACT WithDefault ([DEFAULT] SENT BY ANY);
DROP CONTRACT WithDefault;
GO
--! spec NAME-14 NAME-15
-- # makes nothing temporary, but a queue may not be called so.
CREATE MESSAGE TYPE #Type;
CREATE CONTRACT #Contract (#Type SENT BY ANY);
CREATE SERVICE #Service ON QUEUE Q (#Contract);
GO
CREATE QUEUE #Queue;
GO
--! error 1093
--! session other IN Names
SELECT m.name, c.name, s.name FROM sys.service_message_types m, sys.service_contracts c, sys.services s
WHERE m.name LIKE '#%' AND c.name LIKE '#%' AND s.name LIKE '#%';
GO
--! rows
--! #Type | #Contract | #Service
--! spec NAME-16 NAME-17 NAME-18 NAME-19
-- Queues and priorities are compared without letter case.
CREATE QUEUE q;
GO
--! error 2714
CREATE BROKER PRIORITY Mine FOR CONVERSATION SET (PRIORITY_LEVEL = 3);
GO
CREATE BROKER PRIORITY MINE FOR CONVERSATION SET (CONTRACT_NAME = Deal);
GO
--! error 33303
ALTER BROKER PRIORITY mine FOR CONVERSATION SET (PRIORITY_LEVEL = 4);
SELECT name, priority FROM sys.conversation_priorities;
DROP BROKER PRIORITY MINE;
SELECT COUNT(*) FROM Q WHERE 1 = 0;
GO
--! rows
--! Mine | 4
--! rows
--! 0
--! spec NAME-20
-- ANY as a name, and as the word for all.
CREATE CONTRACT [ANY] ([DEFAULT] SENT BY ANY);
CREATE SERVICE [ANY] ON QUEUE Q ([ANY]);
CREATE BROKER PRIORITY Word FOR CONVERSATION SET (CONTRACT_NAME = ANY, LOCAL_SERVICE_NAME = ANY, PRIORITY_LEVEL = 2);
CREATE BROKER PRIORITY Name FOR CONVERSATION SET (CONTRACT_NAME = [ANY], LOCAL_SERVICE_NAME = [ANY], PRIORITY_LEVEL = 8);
SELECT p.name, c.name, s.name FROM sys.conversation_priorities p LEFT JOIN sys.service_contracts c ON c.service_contract_id = p.service_contract_id
LEFT JOIN sys.services s ON s.service_id = p.local_service_id ORDER BY p.name;
GO
--! rows
--! Name | ANY | ANY
--! Word | NULL | NULL
--! spec NAME-21 NAME-22
-- One part only, but for queues.
EXEC ('CREATE MESSAGE TYPE dbo.M');
GO
--! error 102
EXEC ('CREATE CONTRACT dbo.C ([DEFAULT] SENT BY ANY)');
GO
--! error 102
EXEC ('CREATE SERVICE dbo.S ON QUEUE Q');
GO
--! error 102
EXEC ('CREATE ROUTE dbo.R WITH ADDRESS = ''LOCAL''');
GO
--! error 102
EXEC ('CREATE REMOTE SERVICE BINDING dbo.B TO SERVICE ''x'' WITH USER = dbo');
GO
--! error 102
EXEC ('CREATE BROKER PRIORITY dbo.P FOR CONVERSATION');
GO
--! error 102
EXEC ('DROP CONTRACT dbo.C');
GO
--! error 102
USE master;
CREATE QUEUE Names.dbo.Third;
SELECT COUNT(*) FROM Names.dbo.Third;
DROP QUEUE Names.dbo.Third;
GO
--! rows
--! 0
--! spec OBJECT-18 OBJECT-19
-- A name of no characters is none.
CREATE QUEUE [];
GO
--! error 1038 severity 15
CREATE SERVICE "" ON QUEUE q;
GO
--! error 1038
CREATE MESSAGE TYPE [];
GO
--! error 1038
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [] TO SERVICE 's';
GO
--! error 1038 line 2
CREATE TABLE t9 ([] int);
GO
--! error 1038
--! spec NAME-28
-- Nor can a service be called so that a string names: empty, or longer than 256 characters.
USE tempdb;
CREATE USER Far WITHOUT LOGIN;
CREATE REMOTE SERVICE BINDING B TO SERVICE '' WITH USER = Far;
GO
--! error 8412
CREATE REMOTE SERVICE BINDING B TO SERVICE 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' WITH USER = Far;
GO
--! error 8412
CREATE EVENT NOTIFICATION E ON DATABASE FOR CREATE_TABLE TO SERVICE '', 'current database';
GO
--! error 8412
CREATE EVENT NOTIFICATION E ON SERVER FOR CREATE_TABLE TO SERVICE 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'current database';
GO
--! error 8412
CREATE BROKER PRIORITY P FOR CONVERSATION SET (REMOTE_SERVICE_NAME = '');
GO
--! error 33301
CREATE BROKER PRIORITY P FOR CONVERSATION SET (REMOTE_SERVICE_NAME = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
GO
--! error 33301
CREATE BROKER PRIORITY P FOR CONVERSATION;
ALTER BROKER PRIORITY P FOR CONVERSATION SET (REMOTE_SERVICE_NAME = '');
GO
--! error 33301
CREATE ROUTE R WITH SERVICE_NAME = '', ADDRESS = 'LOCAL';
GO
--! error 9659
CREATE ROUTE R WITH SERVICE_NAME = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', ADDRESS = 'LOCAL';
GO
--! error 9660
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [http://schemas.microsoft.com/SQL/Notifications/EventNotificationService] TO SERVICE '' WITH ENCRYPTION = OFF;
GO
--! error 8412
--! spec SERVICE-13 PRIORITY-11
