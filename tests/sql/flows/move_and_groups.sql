-- Conversations that belong together: a group of one's own making, related dialogs, MOVE CONVERSATION between groups, two sessions that
-- must not work on one group at once.
CREATE DATABASE Grouped;
GO
USE Grouped;
GO
CREATE QUEUE Q; CREATE QUEUE R;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
CREATE SERVICE T ON QUEUE R ([DEFAULT]);
CREATE TABLE Basket (GroupId uniqueidentifier PRIMARY KEY, Note nvarchar(20));
GO
DECLARE @order uniqueidentifier, @a uniqueidentifier, @b uniqueidentifier, @c uniqueidentifier;
SET @order = '6B29FC40-CA47-1067-B31D-00DD010662DA';
BEGIN DIALOG @a FROM SERVICE S TO SERVICE 'T' WITH RELATED_CONVERSATION_GROUP = @order, ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S TO SERVICE 'T' WITH RELATED_CONVERSATION = @a, ENCRYPTION = OFF;
BEGIN DIALOG @c FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF;
SELECT COUNT(*), COUNT(DISTINCT conversation_group_id) FROM sys.conversation_endpoints;
MOVE CONVERSATION @c TO @order;
SELECT COUNT(*), COUNT(DISTINCT conversation_group_id) FROM sys.conversation_endpoints;
INSERT Basket VALUES (@order, N'first order');
SEND ON CONVERSATION (@a, @b, @c) (N'to all');
SELECT COUNT(*) AS messages, COUNT(DISTINCT conversation_group_id) AS groups FROM R;
GO
--! rows
--! 3 | 2
--! rows
--! 3 | 1
--! rows
--! 3 | 3
-- Three answers for one group: whoever has the group has all of them.
DECLARE @h uniqueidentifier, @n int;
SET @n = 0;
WHILE @n < 3
BEGIN
    RECEIVE TOP (1) @h = conversation_handle FROM R;
    SET @n = @n + 1;
    SEND ON CONVERSATION @h (N'answer ' + CAST(@n AS nchar(1)));
END;
GO
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier;
GET CONVERSATION GROUP @g FROM Q;
SELECT b.Note FROM Basket b WHERE b.GroupId = @g;
RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) FROM Q WHERE conversation_group_id = @g;
GO
--! rows
--! first order
--! rows
--! answer 1
--! session second IN Grouped
RECEIVE TOP (1) * FROM Q;
SELECT @@ROWCOUNT AS none;
DECLARE @g uniqueidentifier;
WAITFOR (GET CONVERSATION GROUP @g FROM Q), TIMEOUT 500;
SELECT CASE WHEN @g IS NULL THEN 'locked by another' END;
WAITFOR (RECEIVE CAST(message_body AS nvarchar(20)) AS body FROM Q), TIMEOUT 60000;
GO
--! blocked
--! session main
--! advance 1s
COMMIT;
GO
--! finishes second
--! rows
--! rows
--! 0
--! rows
--! locked by another
--! rows
--! answer 2
--! answer 3
--! session main
DECLARE @h uniqueidentifier = NEWID(), @g uniqueidentifier = NEWID();
MOVE CONVERSATION @h TO @g;
GO
--! error 8426
DECLARE @h uniqueidentifier, @g uniqueidentifier = NEWID();
SELECT TOP (1) @h = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1;
MOVE CONVERSATION @h TO @g;
GO
--! error 8436 line 3
