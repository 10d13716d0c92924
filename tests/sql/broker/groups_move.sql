-- Groups: MOVE CONVERSATION, locks of two sessions, deadlock.
CREATE DATABASE Moves;
GO
USE Moves;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE Other ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE Ids (name char(1) PRIMARY KEY, h uniqueidentifier, g uniqueidentifier);
DECLARE @a uniqueidentifier, @b uniqueidentifier, @o uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
BEGIN DIALOG @o FROM SERVICE Other TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'a'); SEND ON CONVERSATION @b (N'b');
INSERT INTO Ids SELECT 'a', conversation_handle, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @a;
INSERT INTO Ids SELECT 'b', conversation_handle, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @b;
INSERT INTO Ids SELECT 'o', conversation_handle, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @o;
INSERT INTO Ids SELECT 'x', conversation_handle, conversation_group_id FROM Q2 WHERE message_body = CAST(N'a' AS varbinary(10));
INSERT INTO Ids SELECT 'y', conversation_handle, conversation_group_id FROM Q2 WHERE message_body = CAST(N'b' AS varbinary(10));
SELECT COUNT(*) FROM Ids;
GO
--! rows
--! 5
-- Errors.
DECLARE @a uniqueidentifier, @ga uniqueidentifier, @go uniqueidentifier, @null uniqueidentifier, @new uniqueidentifier = NEWID();
SELECT @a = h, @ga = g FROM Ids WHERE name = 'a';
SELECT @go = g FROM Ids WHERE name = 'o';
MOVE CONVERSATION @new TO @ga;
MOVE CONVERSATION @a TO @new;
MOVE CONVERSATION @null TO @ga;
MOVE CONVERSATION @a TO @null;
MOVE CONVERSATION @a TO @go;
MOVE CONVERSATION @a TO @ga;
GO
--! error 8426
--! error 8436
--! error 8418
--! error 8420
--! error 8439
--! spec MOVE-3 MOVE-5 MOVE-7 MOVE-8
-- The messages come along; an emptied group disappears; a rollback moves back.
DECLARE @y uniqueidentifier, @gx uniqueidentifier, @gy uniqueidentifier;
SELECT @gx = g FROM Ids WHERE name = 'x';
SELECT @y = h, @gy = g FROM Ids WHERE name = 'y';
BEGIN TRANSACTION;
MOVE CONVERSATION @y TO @gx;
SELECT COUNT(DISTINCT conversation_group_id) FROM Q2;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = @gy;
ROLLBACK;
SELECT COUNT(DISTINCT conversation_group_id) FROM Q2;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = @gy;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 2
--! rows
--! 1
--! spec MOVE-1 MOVE-2 MOVE-9 MOVE-10
-- In DO the endpoint cannot be moved (8438).
DECLARE @o uniqueidentifier;
BEGIN DIALOG @o FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @o (N'bye');
END CONVERSATION @o;
DECLARE @ga uniqueidentifier = (SELECT g FROM Ids WHERE name = 'a');
MOVE CONVERSATION @o TO @ga;
GO
--! error 8438
--! spec MOVE-6
-- Every statement locks the group until the transaction ends: SEND of another session on the same side waits.
--! session one IN Moves
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT h FROM Ids WHERE name = 'a');
SEND ON CONVERSATION @a (N'a1');
GO
--! session two IN Moves
DECLARE @a uniqueidentifier = (SELECT h FROM Ids WHERE name = 'a');
SEND ON CONVERSATION @a (N'a2');
GO
--! blocked
--! spec LOCK-3 LOCK-8 SEND-37
--! session three IN Moves
-- The lock is per side: the target's side is free.
DECLARE @x uniqueidentifier = (SELECT h FROM Ids WHERE name = 'x');
SEND ON CONVERSATION @x (N'reply');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_handle = @x;
GO
--! rows
--! a
--! spec LOCK-10
--! session one
COMMIT;
GO
--! session two
--! finishes
SELECT message_sequence_number, CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_handle = (SELECT h FROM Ids WHERE name = 'x')
ORDER BY queuing_order;
GO
--! rows
--! 1 | a1
--! 2 | a2
-- BEGIN CONVERSATION TIMER, END CONVERSATION and MOVE wait as well.
--! session one
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier, @y uniqueidentifier = (SELECT h FROM Ids WHERE name = 'y');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_handle = @y;
GO
--! rows
--! b
--! session two
DECLARE @y uniqueidentifier = (SELECT h FROM Ids WHERE name = 'y');
BEGIN CONVERSATION TIMER (@y) TIMEOUT = 1000;
GO
--! blocked
--! spec LOCK-2 TIMER-21
--! session three
DECLARE @x uniqueidentifier = (SELECT h FROM Ids WHERE name = 'x'), @gy uniqueidentifier = (SELECT g FROM Ids WHERE name = 'y');
MOVE CONVERSATION @x TO @gy;
GO
--! blocked
--! spec LOCK-6 MOVE-4
--! session one
ROLLBACK;
GO
--! session two
--! finishes
--! session three
--! finishes
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_group_id = (SELECT g FROM Ids WHERE name = 'y');
GO
--! rows
--! 2
-- Two sessions that lock two groups crosswise: one of them is the deadlock victim (1205), the other goes on.
--! session one
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT h FROM Ids WHERE name = 'a');
SEND ON CONVERSATION @a (N'one');
GO
--! session two
BEGIN TRANSACTION;
DECLARE @b uniqueidentifier = (SELECT h FROM Ids WHERE name = 'b');
SEND ON CONVERSATION @b (N'two');
GO
--! session one
DECLARE @b uniqueidentifier = (SELECT h FROM Ids WHERE name = 'b');
SEND ON CONVERSATION @b (N'one');
GO
--! blocked
--! session two
DECLARE @a uniqueidentifier = (SELECT h FROM Ids WHERE name = 'a');
SEND ON CONVERSATION @a (N'two');
GO
--! error 1205 severity 13
--! session one
--! finishes
COMMIT;
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
--! session two
SELECT @@TRANCOUNT;
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'one' AS varbinary(10));
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'two' AS varbinary(10));
GO
--! rows
--! 0
--! rows
--! 2
--! rows
--! 0
--! spec LOCK-16
-- RECEIVE without WHERE skips the locked group, also when it is the only one left.
--! session one
BEGIN TRANSACTION;
RECEIVE TOP (1) status FROM Q2;
GO
--! session two
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE status FROM Q2;
SELECT CASE WHEN COUNT(*) > 0 THEN 'more' END FROM Q2 WHERE status = 1;
GO
--! rows
--! bye
--! NULL
--! rows
--! rows
--! more
--! spec LOCK-13 LOCK-17
