-- A dialog between two databases from begin to end; SEND for public instead of TRUSTWORTHY.
CREATE DATABASE Here;
CREATE DATABASE Yonder;
GO
USE Yonder;
CREATE QUEUE Q;
CREATE SERVICE Target ON QUEUE Q ([DEFAULT]);
CREATE SERVICE NoContract ON QUEUE Q;
GO
USE Here;
CREATE QUEUE Q;
CREATE SERVICE Start ON QUEUE Q;
CREATE TABLE T (id int);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
SELECT CASE WHEN transmission_status <> '' THEN 'reason' END FROM sys.transmission_queue;
GO
--! rows
--! reason
-- SEND for public on the target service is the other way in.
USE Yonder;
GRANT SEND ON SERVICE::Target TO public;
USE Here;
GO
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT state, CASE WHEN far_broker_instance = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Yonder') THEN 'Yonder' END FROM sys.conversation_endpoints;
SELECT state, is_initiator, far_service FROM Yonder.sys.conversation_endpoints;
GO
--! rows
--! 0
--! rows
--! CO | Yonder
--! rows
--! CO | 0 | Start
-- One transaction over both databases: receive there, write here, reply.
BEGIN TRANSACTION;
DECLARE @t uniqueidentifier, @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @h (N'two');
INSERT INTO T VALUES (1);
SELECT COUNT(*) FROM Yonder.dbo.Q;
ROLLBACK;
SELECT (SELECT COUNT(*) FROM Yonder.dbo.Q), (SELECT COUNT(*) FROM T);
GO
--! rows
--! 2
--! rows
--! 1 | 0
--! spec SEND-29
-- A handle belongs to its database.
USE Yonder;
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Q;
SEND ON CONVERSATION @t (N'reply');
USE Here;
SEND ON CONVERSATION @t (N'wrong place');
GO
--! error 8426
--! spec SEND-43
RECEIVE CAST(message_body AS nvarchar(20)), service_name FROM Q;
GO
--! rows
--! reply | Start
-- The peer's broker is off: the message waits here, and goes when it is on again.
ALTER DATABASE Yonder SET DISABLE_BROKER;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @h (N'three');
SELECT CAST(message_body AS nvarchar(20)), CASE WHEN transmission_status <> '' THEN 'reason' END FROM sys.transmission_queue;
ALTER DATABASE Yonder SET ENABLE_BROKER;
GO
--! rows
--! three | reason
--! spec SEND-32
--! advance 70s
SELECT CAST(message_body AS nvarchar(20)) FROM Yonder.dbo.Q;
GO
--! rows
--! three
-- END on both sides: nothing is left here, CD there.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
END CONVERSATION @h;
SELECT state FROM sys.conversation_endpoints;
SELECT state FROM Yonder.sys.conversation_endpoints;
GO
--! rows
--! DO
--! rows
--! DI
USE Yonder;
DECLARE @t uniqueidentifier;
RECEIVE TOP (1) @t = conversation_handle FROM Q;
END CONVERSATION @t;
SELECT state FROM sys.conversation_endpoints;
SELECT COUNT(*) FROM Here.sys.conversation_endpoints;
USE Here;
GO
--! rows
--! CD
--! rows
--! 0
-- The target refuses the contract: -8408.
ALTER DATABASE Here SET TRUSTWORTHY ON;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'NoContract' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'refused');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @h;
GO
--! rows
--! -8408
--! spec DIALOG-43 CHANGE-6 BROKERERROR-9
-- A contract that is not there: -8425 (3.6).
CREATE MESSAGE TYPE M;
CREATE CONTRACT OnlyHere (M SENT BY ANY);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' ON CONTRACT OnlyHere WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'refused');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @h;
GO
--! rows
--! -8425
--! spec CHANGE-7 BROKERERROR-8
-- Both sides have the types under the same names with different validation: the target's counts (2.1).
USE Yonder;
CREATE MESSAGE TYPE M VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT OnlyHere (M SENT BY ANY);
ALTER SERVICE Target (ADD CONTRACT OnlyHere);
USE Here;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' ON CONTRACT OnlyHere WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'<ok/>');
SEND ON CONVERSATION @h MESSAGE TYPE M (N'not xml');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @h;
GO
--! rows
--! -9615
--! spec BROKERERROR-15
-- Two databases offer the service: one of them gets the whole conversation (7.5); with the GUID, that one.
CREATE DATABASE Third;
GO
USE Third;
CREATE QUEUE Q;
CREATE SERVICE Target ON QUEUE Q ([DEFAULT]);
USE Here;
GO
DECLARE @h uniqueidentifier, @guid nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Third');
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target', @guid WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'a'); SEND ON CONVERSATION @h (N'b');
SELECT COUNT(*) FROM Third.dbo.Q;
GO
--! rows
--! 2
--! spec DIALOG-11
