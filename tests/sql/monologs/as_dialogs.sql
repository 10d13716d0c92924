-- Groups, MOVE, timers, priorities, activation, retention of queues: as dialogs have them.
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
CREATE BROKER PRIORITY P1 FOR CONVERSATION SET (CONTRACT_NAME = [//m/c], LOCAL_SERVICE_NAME = [//m/pub], PRIORITY_LEVEL = 7);
CREATE BROKER PRIORITY P2 FOR CONVERSATION SET (CONTRACT_NAME = [//m/c], LOCAL_SERVICE_NAME = [//m/one], REMOTE_SERVICE_NAME = '//m/pub', PRIORITY_LEVEL = 3);
CREATE BROKER PRIORITY P3 FOR CONVERSATION SET (CONTRACT_NAME = [//m/c], LOCAL_SERVICE_NAME = [//m/pub], REMOTE_SERVICE_NAME = '//m/two', PRIORITY_LEVEL = 9);
ALTER QUEUE PubQueue WITH RETENTION = ON;
DECLARE @s uniqueidentifier, @h uniqueidentifier, @g uniqueidentifier = NEWID();
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c] WITH RELATED_CONVERSATION_GROUP = @g;
INSERT INTO Handles VALUES ('pub', @h), ('group', @g);
ALTER QUEUE Q2 WITH STATUS = OFF;
EXEC Say 'a';
SELECT s.name, e.priority FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id ORDER BY s.name;
SELECT priority FROM Q1;
SELECT priority FROM sys.transmission_queue;
SELECT status, CAST(message_body AS varchar(20)) FROM PubQueue;
SELECT CASE WHEN conversation_group_id = @g THEN 1 END FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! //m/one | 3
--! //m/pub | 7
--! //m/two | 5
--! rows
--! 3
--! rows
--! 9
--! rows
--! 3 | a
--! rows
--! 1
-- MOVE: the publisher with all that waits for its subscribers.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub'), @d uniqueidentifier, @g uniqueidentifier;
BEGIN DIALOG @d FROM SERVICE [//m/pub] TO SERVICE '//m/one' ON CONTRACT [//m/c];
SET @g = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @d);
MOVE CONVERSATION @h TO @g;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = (SELECT h FROM Handles WHERE name = 'group');
BEGIN TRANSACTION;
MOVE CONVERSATION @h TO @g;
EXEC Say 'b';
ROLLBACK;
EXEC Say 'c';
GO
--! rows
--! 0
--! restart
USE M;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! settle
SELECT CAST(message_body AS varchar(20)) FROM Q2 ORDER BY queuing_order;
GO
--! rows
--! a
--! c
-- Timers on both sides.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub'), @one uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q1);
RECEIVE CAST(message_body AS varchar(20)) FROM Q1;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
BEGIN CONVERSATION TIMER (@one) TIMEOUT = 5;
GO
--! rows
--! a
--! c
--! advance 6s
SELECT RIGHT(message_type_name, 11) FROM PubQueue WHERE status = 1;
RECEIVE RIGHT(message_type_name, 11) FROM Q1;
GO
--! rows
--! DialogTimer
--! rows
--! DialogTimer
-- Activation, and a subscriber that rolls back: exactly once in the end, in order, and poison after five.
CREATE TABLE Seen (id int IDENTITY, body varchar(20));
CREATE TABLE Tries (id int);
GO
CREATE PROCEDURE Reader AS
BEGIN
    DECLARE @body varchar(20);
    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        SET @body = NULL;
        WAITFOR (RECEIVE TOP (1) @body = CAST(message_body AS varchar(20)) FROM Q1), TIMEOUT 1000;
        IF @body IS NULL BEGIN COMMIT; BREAK; END
        INSERT INTO Seen VALUES (@body);
        IF @body = 'poison' ROLLBACK ELSE COMMIT;
    END
END
GO
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
EXEC Say 'd'; EXEC Say 'e';
GO
--! advance 10s
SELECT body FROM Seen ORDER BY id;
EXEC Say 'poison'; EXEC Say 'f';
GO
--! rows
--! d
--! e
--! advance 30s
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'Q1';
EXEC Say 'g';
SELECT CAST(message_body AS varchar(20)) FROM Q2 ORDER BY queuing_order;
SELECT far_service, waiting_messages FROM sys.monolog_subscribers ORDER BY far_service;
GO
--! rows
--! 0
--! rows
--! a
--! c
--! d
--! e
--! poison
--! f
--! g
--! rows
--! //m/one | 1
--! //m/two | 0
-- Two groups: the publisher's is locked by who sends, each subscriber's by who receives.
BEGIN TRANSACTION;
EXEC Say 'h';
GO
--! session other in M
RECEIVE TOP (1) CAST(message_body AS varchar(20)) FROM Q2;
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] ('second');
GO
--! blocked
--! session main
COMMIT;
GO
--! session other
--! finishes
--! rows
--! a
SELECT CAST(message_body AS varchar(20)) FROM Q2 WHERE message_sequence_number > 6 ORDER BY queuing_order;
GO
--! rows
--! h
--! second
-- SEND to a monolog and a dialog in one statement.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub'), @d uniqueidentifier;
BEGIN DIALOG @d FROM SERVICE [//m/pub] TO SERVICE '//m/two' ON CONTRACT [//m/c] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION (@h, @d) MESSAGE TYPE [//m/t] ('both');
SELECT COUNT(*), COUNT(DISTINCT conversation_handle) FROM Q2 WHERE CAST(message_body AS varchar(20)) = 'both';
GO
--! rows
--! 2 | 2
--! spec MONOLOG-3 MONOLOG-11 MONOLOG-19
