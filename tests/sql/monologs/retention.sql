-- What is retained, for how long, and how it goes.
CREATE DATABASE M;
GO
USE M;
CREATE MESSAGE TYPE [//m/t] VALIDATION = NONE;
CREATE CONTRACT [//m/c] ([//m/t] SENT BY INITIATOR);
CREATE QUEUE PubQueue; CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE [//m/pub] ON QUEUE PubQueue;
CREATE SERVICE [//m/one] ON QUEUE Q1 ([//m/c]);
CREATE SERVICE [//m/two] ON QUEUE Q2 ([//m/c]);
CREATE TABLE Handles (name sysname, h uniqueidentifier);
GO
CREATE PROCEDURE Say @text varchar(20), @name sysname = 'pub' AS
BEGIN
    DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = @name);
    SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] (@text);
END
GO
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = 60;
INSERT INTO Handles VALUES ('pub', @h);
EXEC Say 'm0';
GO
--! advance 30s
EXEC Say 'm1';
SELECT retention_period, retained_messages FROM sys.monologs;
GO
--! rows
--! 60 | 2
--! advance 29s
SELECT CAST(message_body AS varchar(20)) FROM sys.monolog_messages;
GO
--! rows
--! m0
--! m1
--! advance 2s
SELECT CAST(message_body AS varchar(20)) FROM sys.monolog_messages;
SELECT retained_messages, first_retained_sequence FROM sys.monologs;
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q1;
SELECT start_sequence FROM sys.monolog_subscribers;
GO
--! rows
--! m1
--! rows
--! 1 | 1
--! rows
--! 1 | m1
--! rows
--! 1
-- All of them gone: a subscriber begins with what comes.
--! advance 2m
SELECT COUNT(*) FROM sys.monolog_messages;
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
SELECT start_sequence FROM sys.monolog_subscribers WHERE far_service = '//m/two';
EXEC Say 'm2';
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q2;
GO
--! rows
--! 0
--! rows
--! 2
--! rows
--! 2 | m2
-- RETENTION = OFF keeps nothing, and a slow subscriber loses nothing.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = OFF;
INSERT INTO Handles VALUES ('off', @h);
ALTER QUEUE Q1 WITH STATUS = OFF;
EXEC Say 'o1', 'off';
SELECT retention_period, retained_messages FROM sys.monologs WHERE conversation_handle = @h;
GO
--! rows
--! 0 | 0
--! advance 1h
ALTER QUEUE Q1 WITH STATUS = ON;
GO
--! settle
SELECT CAST(message_body AS varchar(20)) FROM Q1 ORDER BY queuing_order;
GO
--! rows unordered
--! m2
--! o1
-- A restart in the middle of the time.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
EXEC Say 'm3';
GO
--! advance 30s
--! restart
USE M;
SELECT CAST(message_body AS varchar(20)) FROM sys.monolog_messages;
SELECT retention_period, retained_messages, send_sequence, subscribers FROM sys.monologs ORDER BY send_sequence;
GO
--! rows
--! m3
--! rows
--! 0 | 0 | 1 | 2
--! 60 | 1 | 4 | 2
--! advance 31s
SELECT COUNT(*) FROM sys.monolog_messages;
GO
--! rows
--! 0
-- LIFETIME: all sides are in error, and nothing is retained any more.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = ON, LIFETIME = 60;
INSERT INTO Handles VALUES ('short', @h);
EXEC Say 's', 'short';
SELECT retained_messages FROM sys.monologs WHERE conversation_handle = @h;
GO
--! rows
--! 1
--! advance 61s
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'short');
SELECT state, retained_messages, subscribers FROM sys.monologs WHERE conversation_handle = @h;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state = 'ER';
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM PubQueue;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q2 WHERE message_type_name LIKE '%Error';
EXEC Say 'no', 'short';
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.monologs WHERE conversation_handle = @h;
GO
--! rows
--! ER | 0 | 0
--! rows
--! 3
--! rows
--! -8489
--! rows
--! -8489
--! error 8429
--! rows
--! 0
--! spec MONOLOG-5 MONOLOG-26 MONOLOG-28 MONOLOG-29 MONOLOG-30
