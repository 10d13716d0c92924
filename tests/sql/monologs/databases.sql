-- What definitions of databases do to monologs.
CREATE DATABASE Pub; CREATE DATABASE Sub;
ALTER DATABASE Pub SET TRUSTWORTHY ON;
ALTER DATABASE Sub SET TRUSTWORTHY ON;
GO
USE Pub;
CREATE QUEUE PubQueue;
CREATE SERVICE Prices ON QUEUE PubQueue;
CREATE TABLE Handles (h uniqueidentifier);
USE Sub;
CREATE QUEUE Q;
CREATE SERVICE Charts ON QUEUE Q ([DEFAULT]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE Charts TO SERVICE 'Prices';
USE Pub;
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices WITH ENCRYPTION = OFF, RETENTION = ON;
INSERT INTO Handles VALUES (@h);
SEND ON CONVERSATION @h ('a');
SELECT CAST(message_body AS varchar(10)) FROM Sub.dbo.Q;
GO
--! rows
--! a
-- NEW_BROKER of the publisher's database: its monologs go, nobody is told.
ALTER DATABASE Pub SET NEW_BROKER WITH ROLLBACK IMMEDIATE;
SELECT COUNT(*) FROM sys.monologs;
SELECT COUNT(*) FROM sys.monolog_messages;
SELECT COUNT(*) FROM sys.monolog_subscribers;
SELECT state FROM Sub.sys.conversation_endpoints;
SELECT COUNT(*) FROM Sub.dbo.Q;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! CO
--! rows
--! 1
-- The subscription stands, and joins the next monolog.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices WITH ENCRYPTION = OFF;
UPDATE Handles SET h = @h;
SEND ON CONVERSATION @h ('b');
SELECT CAST(message_body AS varchar(10)) FROM Sub.dbo.Q ORDER BY queuing_order;
GO
--! rows
--! a
--! b
-- ERROR_BROKER_CONVERSATIONS of the subscriber's database: an error there, an Error message for the publisher, which goes on.
ALTER DATABASE Sub SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM PubQueue;
SELECT state, subscribers FROM sys.monologs;
SELECT COUNT(*) FROM Sub.sys.conversation_endpoints WHERE state = 'ER';
GO
--! rows
--! -9720
--! rows
--! CO | 0
--! rows
--! 2
-- ERROR_BROKER_CONVERSATIONS of the publisher's: an error on both sides.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices WITH ENCRYPTION = OFF, RETENTION = ON;
UPDATE Handles SET h = @h;
SEND ON CONVERSATION @h ('c');
ALTER DATABASE Pub SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE;
SELECT state, retained_messages, subscribers FROM sys.monologs WHERE conversation_handle = @h;
SELECT COUNT(*) FROM Sub.sys.conversation_endpoints WHERE state = 'ER';
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT TOP (1) CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Sub.dbo.Q WHERE message_type_name LIKE '%Error' ORDER BY queuing_order DESC;
GO
--! rows
--! ER | 0 | 0
--! rows
--! 3
--! rows
--! -9720
-- DROP CONTRACT under a monolog: Error on both sides.
CREATE CONTRACT c ([DEFAULT] SENT BY ANY);
USE Sub;
CREATE CONTRACT c ([DEFAULT] SENT BY ANY);
ALTER SERVICE Charts (ADD CONTRACT c);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE Charts TO SERVICE 'Prices' ON CONTRACT c;
USE Pub;
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices ON CONTRACT c WITH ENCRYPTION = OFF, RETENTION = ON;
SEND ON CONVERSATION @h ('d');
DROP CONTRACT c;
SELECT state, retained_messages, subscribers FROM sys.monologs WHERE conversation_handle = @h;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT TOP (1) CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM PubQueue ORDER BY queuing_order DESC;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT TOP (1) CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Sub.dbo.Q WHERE message_type_name LIKE '%Error' ORDER BY queuing_order DESC;
GO
--! rows
--! ER | 0 | 0
--! rows
--! -8425
--! rows
--! -8487
-- ALTER SERVICE … ON QUEUE of a subscriber: what it has moves along.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE Prices WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('e');
USE Sub;
CREATE QUEUE Other;
ALTER SERVICE Charts ON QUEUE Other;
SEND ON CONVERSATION @h ('f');
GO
--! error 8426
USE Pub;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.monologs WHERE state = 'CO');
SEND ON CONVERSATION @h ('f');
SELECT CAST(message_body AS varchar(10)) FROM Sub.dbo.Other WHERE message_type_name = 'DEFAULT' AND message_sequence_number < 2 ORDER BY queuing_order DESC;
GO
--! rows
--! f
--! e
--! d
--! c
--! b
--! a
-- DROP DATABASE of the publisher: the subscriber's endpoints stay (one that is not in error); its subscriptions wait.
USE master;
DROP DATABASE Pub;
USE Sub;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state = 'CO';
SELECT far_service FROM sys.monolog_subscriptions;
GO
--! rows
--! 1
--! rows
--! Prices
--! Prices
--! spec MONOLOG-27 MONOLOG-29
