-- DDL with consequences for conversations inside transactions; validation per side.
CREATE DATABASE Undone;
GO
USE Undone;
CREATE MESSAGE TYPE M VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT C (M SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C);
CREATE TABLE H (h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'<one/>');
INSERT INTO H VALUES (@h);
GO
-- DROP SERVICE rolled back: conversation, message and peer are as before.
BEGIN TRANSACTION;
DROP SERVICE S2;
SELECT state FROM sys.conversation_endpoints;
SELECT COUNT(*) FROM Q2;
ROLLBACK;
SELECT state FROM sys.conversation_endpoints;
SELECT COUNT(*) FROM Q2;
SELECT COUNT(*) FROM Q1;
GO
--! rows
--! ER
--! rows
--! 0
--! rows
--! CO
--! CO
--! rows
--! 1
--! rows
--! 0
-- The same for ALTER SERVICE ON QUEUE, and for a queue that is switched off.
BEGIN TRANSACTION;
ALTER SERVICE S2 ON QUEUE Q3;
SELECT (SELECT COUNT(*) FROM Q2), (SELECT COUNT(*) FROM Q3);
ROLLBACK;
SELECT (SELECT COUNT(*) FROM Q2), (SELECT COUNT(*) FROM Q3);
BEGIN TRANSACTION;
ALTER QUEUE Q2 WITH STATUS = OFF;
ROLLBACK;
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q2;
GO
--! rows
--! 0 | 1
--! rows
--! 1 | 0
--! rows
--! <one/>
-- Objects made in a transaction work in it.
BEGIN TRANSACTION;
CREATE QUEUE Q9;
CREATE SERVICE S9 ON QUEUE Q9 ([DEFAULT]);
DECLARE @x uniqueidentifier;
BEGIN DIALOG @x FROM SERVICE S9 TO SERVICE 'S9' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @x (N'inside');
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q9;
ROLLBACK;
SELECT COUNT(*) FROM sys.conversation_endpoints;
RECEIVE * FROM Q9;
GO
--! rows
--! inside
--! rows
--! 2
--! error 208
-- A body that is not well-formed: the sender gets -9615 and is in ER; the message does not arrive (2.1).
DECLARE @h uniqueidentifier = (SELECT h FROM H);
SEND ON CONVERSATION @h MESSAGE TYPE M (N'<broken>');
SELECT COUNT(*) FROM Q2 WHERE message_type_id >= 65536;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! 0
--! rows
--! -9615
--! rows
--! ER
-- ALTER MESSAGE TYPE does not look at messages that are there already, but at the next ones.
ALTER MESSAGE TYPE M VALIDATION = NONE;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'free');
ALTER MESSAGE TYPE M VALIDATION = EMPTY;
SELECT CAST(message_body AS nvarchar(20)) FROM Q2 WHERE message_type_name = N'M';
SEND ON CONVERSATION @h MESSAGE TYPE M (N'not empty');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CASE WHEN CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') < 0 THEN 'broker error' END FROM Q1 WHERE conversation_handle = @h;
GO
--! rows
--! free
--! rows
--! broker error
