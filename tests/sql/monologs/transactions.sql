-- Transactions: what is rolled back reaches nobody; nobody waits for anybody.
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
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RETENTION = ON;
INSERT INTO Handles VALUES ('pub', @h);
GO
BEGIN TRANSACTION;
EXEC Say 'never';
ROLLBACK;
BEGIN TRANSACTION;
EXEC Say 'a';
SAVE TRANSACTION s;
EXEC Say 'never';
ROLLBACK TRANSACTION s;
EXEC Say 'b';
COMMIT;
SELECT message_sequence_number, CAST(message_body AS varchar(20)) FROM Q1 ORDER BY queuing_order;
SELECT message_sequence_number, CAST(message_body AS varchar(20)) FROM sys.monolog_messages;
GO
--! rows
--! 0 | a
--! 1 | b
--! rows
--! 0 | a
--! 1 | b
-- A transaction that holds the subscriber's group sees its own messages at once, in order, and takes them back.
RECEIVE TOP (1) CAST(message_body AS varchar(20)) FROM Q1;
BEGIN TRANSACTION;
EXEC Say 'c';
RECEIVE CAST(message_body AS varchar(20)) FROM Q1;
EXEC Say 'd';
RECEIVE CAST(message_body AS varchar(20)) FROM Q1;
ROLLBACK;
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q1;
GO
--! rows
--! a
--! rows
--! b
--! c
--! rows
--! d
--! rows
--! 1 | b
-- A monolog and a subscription that are rolled back have never been.
BEGIN TRANSACTION;
DECLARE @s uniqueidentifier, @h uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('never');
SELECT COUNT(*) FROM sys.monologs;
SELECT COUNT(*) FROM sys.monolog_subscriptions;
ROLLBACK;
SELECT COUNT(*) FROM sys.monologs;
SELECT COUNT(*) FROM sys.monolog_subscriptions;
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 2
--! rows
--! 2
--! rows
--! 1
--! rows
--! 1
--! rows
--! 0
-- A subscriber joins while the publisher's transaction is open: it waits for nothing, and misses nothing of it.
--! session publisher in M
BEGIN TRANSACTION;
EXEC Say 'open 1';
GO
--! session main
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 0
CREATE QUEUE Q3;
CREATE SERVICE [//m/three] ON QUEUE Q3 ([//m/c]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/three] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q3;
GO
--! rows
--! 0 | a
--! 1 | b
--! session publisher
EXEC Say 'open 2';
COMMIT;
GO
--! session main
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q1;
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q2;
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q3;
GO
--! rows
--! 2 | open 1
--! 3 | open 2
--! rows
--! 2 | open 1
--! 3 | open 2
--! rows
--! 2 | open 1
--! 3 | open 2
-- It joins between two SENDs, and the sender then reads the queue itself: still in order.
--! session publisher
BEGIN TRANSACTION;
EXEC Say 'x1';
GO
--! session main
CREATE QUEUE Q4;
CREATE SERVICE [//m/four] ON QUEUE Q4 ([//m/c]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/four] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! session publisher
EXEC Say 'x2';
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q4;
COMMIT;
GO
--! rows
--! 4 | x1
--! 5 | x2
-- And it joins while the publisher's transaction has ended the monolog: it hears what was sent, and the end.
--! session publisher
BEGIN TRANSACTION;
EXEC Say 'last';
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
END CONVERSATION @h;
GO
--! session main
CREATE QUEUE Q5;
CREATE SERVICE [//m/five] ON QUEUE Q5 ([//m/c]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/five] TO SERVICE '//m/pub' ON CONTRACT [//m/c] WITH START = RETAINED;
SELECT COUNT(*) FROM Q5;
GO
--! rows
--! 6
--! session publisher
COMMIT;
GO
--! session main
SELECT message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q5 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.monolog_messages;
GO
--! rows
--! 0 | a
--! 1 | b
--! 2 | open 1
--! 3 | open 2
--! 4 | x1
--! 5 | x2
--! 6 | last
--! 7 | EndDialog
--! rows
--! 0
-- A subscription that is not committed holds nobody up: the publisher sends, and the subscriber hears what commits after it.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
UPDATE Handles SET h = @h;
CREATE QUEUE Q6;
CREATE SERVICE [//m/six] ON QUEUE Q6 ([//m/c]);
GO
--! session late in M
BEGIN TRANSACTION;
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/six] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
--! session main
EXEC Say 'before';
BEGIN TRANSACTION;
EXEC Say 'meanwhile';
GO
--! session late
COMMIT;
GO
--! session main
COMMIT;
EXEC Say 'after';
RECEIVE message_sequence_number, CAST(message_body AS varchar(20)) FROM Q6;
GO
--! rows
--! 1 | meanwhile
--! 2 | after
-- END SUBSCRIPTION while the publisher's transaction is open: nobody waits; that transaction is heard to its end, and no other.
BEGIN TRANSACTION;
EXEC Say 'one';
GO
--! session late
DECLARE @s uniqueidentifier = (SELECT subscription_handle FROM sys.monolog_subscriptions m JOIN sys.services s
    ON s.service_id = m.service_id WHERE s.name = '//m/six');
END SUBSCRIPTION @s;
SELECT state_desc FROM sys.monolog_subscribers WHERE far_service = '//m/six';
GO
--! rows
--! DISCONNECTED_INBOUND
--! session main
EXEC Say 'two';
COMMIT;
EXEC Say 'too late';
SELECT message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q6;
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT COUNT(*) FROM sys.monolog_subscribers WHERE far_service = '//m/six';
GO
--! rows
--! 3 | one
--! 4 | two
--! 5 | EndDialog
--! rows
--! 0
--! rows
--! 0
-- The same, and the publisher rolls back: the end comes all the same, and nothing later.
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/six] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN TRANSACTION;
EXEC Say 'never';
GO
--! session late
DECLARE @s uniqueidentifier = (SELECT subscription_handle FROM sys.monolog_subscriptions m JOIN sys.services s
    ON s.service_id = m.service_id WHERE s.name = '//m/six');
END SUBSCRIPTION @s;
GO
--! session main
ROLLBACK;
EXEC Say 'too late';
GO
--! settle
RECEIVE message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q6;
RECEIVE message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q6;
GO
--! rows
--! 3 | one
--! 4 | two
--! 5 | EndDialog
--! rows
--! 6 | EndDialog
-- All in one transaction: the subscription acts when it commits, and hears all of that transaction.
CREATE QUEUE Q7;
CREATE SERVICE [//m/seven] ON QUEUE Q7 ([//m/c]);
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier, @s uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/seven] ON CONTRACT [//m/c];
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('one');
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/seven] TO SERVICE '//m/seven' ON CONTRACT [//m/c];
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('two');
END CONVERSATION @h;
COMMIT;
RECEIVE message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q7;
GO
--! rows
--! 0 | one
--! 1 | two
--! 2 | EndDialog
--! spec MONOLOG-6 MONOLOG-12 MONOLOG-13 MONOLOG-17
-- One joins while the publisher's END CONVERSATION WITH CLEANUP is open: with that its part at the publisher goes too, and the subscriber keeps its endpoint.
--! session main
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('clean', @h);
CREATE QUEUE Late;
CREATE SERVICE [//m/late] ON QUEUE Late ([//m/c]);
GO
--! session publisher
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'clean');
END CONVERSATION @h WITH CLEANUP;
GO
--! session main
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/late] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
SELECT COUNT(*) FROM sys.monolog_subscribers WHERE far_service = '//m/late' AND conversation_handle IN (SELECT h FROM Handles WHERE name = 'clean');
GO
--! rows
--! 1
--! session publisher
COMMIT;
GO
--! session main
SELECT COUNT(*) FROM sys.monolog_subscribers WHERE conversation_handle IN (SELECT h FROM Handles WHERE name = 'clean');
SELECT e.state FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE s.name = '//m/late' AND e.is_initiator = 0
    AND NOT EXISTS (SELECT 1 FROM sys.monolog_subscribers m WHERE m.conversation_id = e.conversation_id);
SELECT COUNT(*) FROM Late;
GO
--! rows
--! 0
--! rows
--! SI
--! rows
--! 0
