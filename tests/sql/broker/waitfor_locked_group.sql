-- TIMEOUT of WAITFOR counts while somebody else has the group locked: the result is empty when it is over, as when nothing is there.
CREATE DATABASE Waits;
GO
--! session main IN Waits
CREATE QUEUE asks;
CREATE QUEUE work;
CREATE SERVICE [//asks] ON QUEUE asks;
CREATE SERVICE [//work] ON QUEUE work ([DEFAULT]);
CREATE TABLE names (h uniqueidentifier, g uniqueidentifier);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
SEND ON CONVERSATION @h (N'two');
INSERT names SELECT conversation_handle, conversation_group_id FROM sys.conversation_endpoints WHERE is_initiator = 0;
GO
--! session holder IN Waits
BEGIN TRANSACTION;
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM work;
GO
--! rows
--! one
-- By handle and by group; the variables stay as they are, @@ROWCOUNT is 0, and the transaction goes on.
--! session waiter IN Waits
DECLARE @h uniqueidentifier = (SELECT h FROM names), @start datetime = GETUTCDATE(), @text nvarchar(10) = N'same';
BEGIN TRANSACTION;
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM work WHERE conversation_handle = @h), TIMEOUT 300;
SELECT @@ROWCOUNT, DATEDIFF(ms, @start, GETUTCDATE()), @@TRANCOUNT, XACT_STATE();
WAITFOR (RECEIVE @text = CAST(message_body AS nvarchar(10)) FROM work WHERE conversation_handle = @h), TIMEOUT 300;
SELECT @@ROWCOUNT, @text, DATEDIFF(ms, @start, GETUTCDATE());
COMMIT;
GO
--! blocked
--! advance 300ms
--! advance 300ms
--! finishes
--! rows
--! rows
--! 0 | 300 | 1 | 1
--! rows
--! 0 | same | 600
--! spec WAITFOR-9 WAITFOR-29
DECLARE @g uniqueidentifier = (SELECT g FROM names), @start datetime = GETUTCDATE();
DECLARE @rows TABLE (body varbinary(max));
WAITFOR (RECEIVE message_body FROM work INTO @rows WHERE conversation_group_id = @g), TIMEOUT 200;
SELECT @@ROWCOUNT, DATEDIFF(ms, @start, GETUTCDATE());
GO
--! blocked
--! advance 200ms
--! finishes
--! rows
--! 0 | 200
-- TIMEOUT 0: at once. GET CONVERSATION GROUP and RECEIVE without WHERE pass by the group.
DECLARE @h uniqueidentifier = (SELECT h FROM names), @g uniqueidentifier = NEWID(), @start datetime = GETUTCDATE();
WAITFOR (RECEIVE status FROM work WHERE conversation_handle = @h), TIMEOUT 0;
WAITFOR (GET CONVERSATION GROUP @g FROM work), TIMEOUT 100;
WAITFOR (RECEIVE status FROM work), TIMEOUT 100;
SELECT @g, DATEDIFF(ms, @start, GETUTCDATE());
GO
--! blocked
--! advance 100ms
--! advance 100ms
--! finishes
--! rows
--! rows
--! rows
--! NULL | 200
-- LOCK_TIMEOUT counts as well: whichever is over first.
SET LOCK_TIMEOUT 100;
DECLARE @h uniqueidentifier = (SELECT h FROM names);
WAITFOR (RECEIVE status FROM work WHERE conversation_handle = @h), TIMEOUT 300;
GO
--! blocked
--! advance 100ms
--! finishes
--! error 1222
SET LOCK_TIMEOUT 500;
DECLARE @h uniqueidentifier = (SELECT h FROM names);
WAITFOR (RECEIVE status FROM work WHERE conversation_handle = @h), TIMEOUT 300;
SET LOCK_TIMEOUT -1;
GO
--! blocked
--! advance 300ms
--! finishes
--! rows
-- The group gets free in time.
DECLARE @h uniqueidentifier = (SELECT h FROM names);
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM work WHERE conversation_handle = @h), TIMEOUT 300;
GO
--! blocked
--! advance 100ms
--! session holder
COMMIT;
GO
--! finishes waiter
--! rows
--! two
