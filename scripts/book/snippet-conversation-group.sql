-- Conversation groups (the section after the timer): one lock and one identity for related conversations.
-- Three sessions take part. Run by hand, the batches between the session marks belong in a window each; in a single
-- session nothing is ever locked out, since a session always gets at its own groups.

CREATE DATABASE DMBrokerage;
GO
USE DMBrokerage;
GO
CREATE QUEUE deskQueue;
CREATE SERVICE desk ON QUEUE deskQueue;
CREATE QUEUE tradeEntryQueue;
CREATE SERVICE tradeEntryService ON QUEUE tradeEntryQueue ([DEFAULT]);
CREATE TABLE dbo.orders (conversation_group_id uniqueidentifier PRIMARY KEY, title nvarchar(20));
GO
-- Two orders of two messages each. Every conversation starts in a group of its own.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh FROM SERVICE desk TO SERVICE 'tradeEntryService';
SEND ON CONVERSATION @dh (N'order 1');
SEND ON CONVERSATION @dh (N'order 1, line');
BEGIN DIALOG CONVERSATION @dh FROM SERVICE desk TO SERVICE 'tradeEntryService';
SEND ON CONVERSATION @dh (N'order 2');
SEND ON CONVERSATION @dh (N'order 2, line');

-- State that belongs to a group is kept under its id.
INSERT INTO dbo.orders (conversation_group_id, title)
SELECT conversation_group_id, CAST(message_body AS nvarchar(20))
FROM tradeEntryQueue
WHERE message_sequence_number = 0;
GO
SELECT title FROM dbo.orders ORDER BY title;
GO
--! rows
--! order 1
--! order 2

-- first reader: takes the head of order 1 and keeps the transaction open
--! session first IN DMBrokerage
USE DMBrokerage;
GO
BEGIN TRANSACTION;
DECLARE @group uniqueidentifier;
SELECT @group = conversation_group_id FROM dbo.orders WHERE title = N'order 1';
RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) AS body
FROM tradeEntryQueue
WHERE conversation_group_id = @group;
GO
--! rows
--! order 1

-- second reader: the group of order 1 is locked, so the next free one is order 2's
--! session second IN DMBrokerage
USE DMBrokerage;
GO
BEGIN TRANSACTION;
DECLARE @group uniqueidentifier;
GET CONVERSATION GROUP @group FROM tradeEntryQueue;
SELECT title FROM dbo.orders WHERE conversation_group_id = @group;
RECEIVE CAST(message_body AS nvarchar(20)) AS body
FROM tradeEntryQueue
WHERE conversation_group_id = @group;
COMMIT TRANSACTION;
GO
--! rows
--! order 2
--! rows
--! order 2
--! order 2, line

-- third reader: insists on order 1 and has to wait for the first
--! session third IN DMBrokerage
USE DMBrokerage;
GO
DECLARE @group uniqueidentifier;
SELECT @group = conversation_group_id FROM dbo.orders WHERE title = N'order 1';
RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) AS body
FROM tradeEntryQueue
WHERE conversation_group_id = @group;
GO
--! blocked

-- A lock on a group does not keep new messages out.
--! session main
DECLARE @dh uniqueidentifier;
SELECT @dh = i.conversation_handle
FROM sys.conversation_endpoints AS i
JOIN sys.conversation_endpoints AS t ON t.conversation_id = i.conversation_id AND t.is_initiator = 0
JOIN dbo.orders AS o ON o.conversation_group_id = t.conversation_group_id
WHERE i.is_initiator = 1 AND o.title = N'order 1';
SEND ON CONVERSATION @dh (N'order 1, more');
GO

--! session first
COMMIT TRANSACTION;
GO

--! session third
--! finishes
--! rows
--! order 1, line

--! session main
USE DMBrokerage;
GO
RECEIVE CAST(message_body AS nvarchar(20)) AS body FROM tradeEntryQueue;
GO
--! rows
--! order 1, more

-- With nothing left to read, GET CONVERSATION GROUP finds no group. Set the variable to NULL before the call: that
-- tells "none" for certain.
DECLARE @group uniqueidentifier;
SET @group = NULL;
WAITFOR (
    GET CONVERSATION GROUP @group FROM tradeEntryQueue
), TIMEOUT 1000;
SELECT CASE WHEN @group IS NULL THEN 'none' ELSE 'one' END AS found;
GO
--! rows
--! none
