-- A restart keeps publishers, subscriptions, subscribers, what waits and what is retained.
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
DECLARE @s uniqueidentifier, @h uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('s1', @s);
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = ON;
INSERT INTO Handles VALUES ('pub', @h);
EXEC Say 'a';
ALTER QUEUE Q2 WITH STATUS = OFF;
EXEC Say 'b';
RECEIVE TOP (1) CAST(message_body AS varchar(20)) FROM Q1;
BEGIN TRANSACTION;
EXEC Say 'never';
GO
--! rows
--! a
--! restart
USE M;
SELECT state, send_sequence, retained_messages, subscribers FROM sys.monologs;
SELECT far_service, state, start_sequence, waiting_messages FROM sys.monolog_subscribers ORDER BY far_service;
SELECT COUNT(*), MIN(joined), MAX(joined) FROM sys.monolog_subscriptions;
SELECT COUNT(*) FROM sys.conversation_endpoints;
EXEC Say 'c';
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)), message_id FROM Q1;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! CO | 2 | 2 | 2
--! rows
--! //m/one | CO | 0 | 0
--! //m/two | CO | 0 | 1
--! rows
--! 2 | 1 | 1
--! rows
--! 3
--! rows
--! 1 | b | {b}
--! 2 | c | {c}
--! settle
SELECT message_sequence_number, CAST(message_body AS varchar(20)), message_id FROM Q2 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 0 | a | *
--! 1 | b | {b}
--! 2 | c | {c}
--! rows
--! 0
-- What joins after it: from what was retained before it.
CREATE QUEUE Q3;
CREATE SERVICE [//m/three] ON QUEUE Q3 ([//m/c]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/three] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
RECEIVE CAST(message_body AS varchar(20)) FROM Q3;
GO
--! rows
--! a
--! b
--! c
-- A publisher that has ended, and still delivers: its legs come back without it.
ALTER QUEUE Q1 WITH STATUS = OFF;
EXEC Say 'd';
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
END CONVERSATION @h;
GO
--! restart
USE M;
SELECT COUNT(*) FROM sys.monologs;
SELECT COUNT(*) FROM sys.monolog_messages;
SELECT far_service, state FROM sys.monolog_subscribers;
ALTER QUEUE Q1 WITH STATUS = ON;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! //m/one | DO
--! settle
SELECT message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q1 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.monolog_subscribers;
GO
--! rows
--! 3 | d
--! 4 | EndDialog
--! rows
--! 0
-- Subscriptions are there for the next monolog; END SUBSCRIPTION finds its handle.
DECLARE @h uniqueidentifier, @s uniqueidentifier = (SELECT h FROM Handles WHERE name = 's1');
END SUBSCRIPTION @s;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
SELECT far_service FROM sys.monolog_subscribers ORDER BY far_service;
GO
--! rows
--! //m/three
--! //m/two
--! restart
USE M;
SELECT s.name FROM sys.monolog_subscriptions m JOIN sys.services s ON s.service_id = m.service_id ORDER BY s.name;
SELECT far_service FROM sys.monolog_subscribers ORDER BY far_service;
GO
--! rows
--! //m/three
--! //m/two
--! rows
--! //m/three
--! //m/two
--! spec MONOLOG-31
