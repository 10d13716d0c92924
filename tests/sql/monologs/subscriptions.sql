-- Where a subscription begins to hear, and where it ends.
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
-- Before there is a monolog, even before there is a service of that name.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('s1', @s);
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/nobody' ON CONTRACT [//m/c] WITH START = RETAINED;
INSERT INTO Handles VALUES ('s2', @s);
SELECT far_service, start, start_desc, joined, far_broker_instance FROM sys.monolog_subscriptions ORDER BY far_service;
GO
--! rows
--! //m/nobody | 1 | RETAINED | 0 |
--! //m/pub | 0 | NOW | 0 |
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = ON;
INSERT INTO Handles VALUES ('pub', @h);
EXEC Say 'm0'; EXEC Say 'm1';
GO
-- START = NOW: what is sent from now on. START = RETAINED: all that is retained, then the same.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
INSERT INTO Handles VALUES ('s3', @s);
CREATE QUEUE Q3;
CREATE SERVICE [//m/three] ON QUEUE Q3 ([//m/c]);
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/three] TO SERVICE '//m/pub', 'CURRENT DATABASE' ON CONTRACT [//m/c] WITH START = NOW;
EXEC Say 'm2';
GO
SELECT message_sequence_number, CAST(message_body AS varchar(20)) FROM Q1 ORDER BY queuing_order;
SELECT message_sequence_number, CAST(message_body AS varchar(20)) FROM Q2 ORDER BY queuing_order;
SELECT message_sequence_number, CAST(message_body AS varchar(20)) FROM Q3 ORDER BY queuing_order;
SELECT far_service, start_sequence FROM sys.monolog_subscribers ORDER BY far_service;
SELECT receive_sequence FROM sys.conversation_endpoints WHERE is_initiator = 0;
SELECT message_sequence_number, message_type_name, CAST(message_body AS varchar(20)) FROM sys.monolog_messages;
SELECT retention_period, retained_messages, first_retained_sequence, subscribers FROM sys.monologs;
GO
--! rows
--! 0 | m0
--! 1 | m1
--! 2 | m2
--! rows
--! 0 | m0
--! 1 | m1
--! 2 | m2
--! rows
--! 2 | m2
--! rows
--! //m/one | 0
--! //m/three | 2
--! //m/two | 0
--! rows
--! 3
--! 3
--! 3
--! rows
--! 0 | //m/t | m0
--! 1 | //m/t | m1
--! 2 | //m/t | m2
--! rows
--! NULL | 3 | 0 | 3
-- END SUBSCRIPTION: what was sent before, then EndDialog. The publisher goes on, the others too.
DECLARE @s uniqueidentifier = (SELECT h FROM Handles WHERE name = 's1');
END SUBSCRIPTION @s;
EXEC Say 'm3';
SELECT far_service FROM sys.monolog_subscribers ORDER BY far_service;
SELECT COUNT(*) FROM sys.monolog_subscriptions WHERE subscription_handle = @s;
GO
--! rows
--! //m/three
--! //m/two
--! rows
--! 0
RECEIVE message_sequence_number, message_type_name, CAST(message_body AS varchar(20)) FROM Q1;
RECEIVE TOP (1) message_sequence_number, CAST(message_body AS varchar(20)) FROM Q3;
SELECT state_desc FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE s.name = '//m/one';
GO
--! rows
--! 0 | //m/t | m0
--! 1 | //m/t | m1
--! 2 | //m/t | m2
--! 3 | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
--! rows
--! 2 | m2
--! rows
--! DISCONNECTED_INBOUND
-- The same service may subscribe again: to what is retained, as a new conversation.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q1;
GO
--! rows
--! 0 | m0
--! 1 | m1
--! 2 | m2
--! 3 | m3
-- A monolog that begins later is joined too, and heard from its first message, whatever START says.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('pub2', @h);
EXEC Say 'other', 'pub2';
SELECT subscribers FROM sys.monologs ORDER BY send_sequence;
WITH q AS (SELECT message_body, conversation_handle FROM Q3)
SELECT CAST(message_body AS varchar(20)), DENSE_RANK() OVER (ORDER BY e.conversation_id) - DENSE_RANK() OVER (ORDER BY e.conversation_id) AS zero
FROM q JOIN sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle ORDER BY 1;
SELECT COUNT(DISTINCT conversation_id) FROM sys.conversation_endpoints WHERE is_initiator = 0;
GO
--! rows
--! 3
--! 3
--! rows
--! m3 | 0
--! other | 0
--! rows
--! 2
-- Not joined: another contract, a monolog of another service, one that has ended.
CREATE CONTRACT [//m/c2] ([//m/t] SENT BY ANY);
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c2];
SELECT subscribers FROM sys.monologs WHERE conversation_handle = @h;
END CONVERSATION @h;
BEGIN MONOLOG @h FROM SERVICE [//m/one] ON CONTRACT [//m/c];
SELECT subscribers FROM sys.monologs WHERE conversation_handle = @h;
END CONVERSATION @h;
SET @h = (SELECT h FROM Handles WHERE name = 'pub');
END CONVERSATION @h;
ALTER SERVICE [//m/three] (ADD CONTRACT [//m/c2]);
CREATE SERVICE [//m/four] ON QUEUE Q3 ([//m/c]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/four] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
SELECT joined FROM sys.monolog_subscriptions WHERE subscription_handle = @s;
SELECT COUNT(*) FROM sys.monolog_messages;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! 1
--! rows
--! 0
--! spec MONOLOG-12 MONOLOG-13 MONOLOG-16 MONOLOG-17 MONOLOG-18
