-- Listing 15-15: the syntax of RECEIVE, every clause used.
-- Corrected: in the released product the column list takes expressions and aliases; the statement before RECEIVE must
-- end with a semicolon; TIMEOUT goes with WAITFOR only, without an equals sign, in milliseconds.

CREATE DATABASE DMBrokerage;
GO
USE DMBrokerage;
GO
CREATE QUEUE deskQueue;
CREATE SERVICE desk ON QUEUE deskQueue;
CREATE QUEUE tradeEntryQueue;
CREATE SERVICE tradeEntryService ON QUEUE tradeEntryQueue ([DEFAULT]);
GO
-- Ten messages on one conversation, numbered 0 to 9.
DECLARE @dh uniqueidentifier, @i int;
BEGIN DIALOG @dh FROM SERVICE desk TO SERVICE 'tradeEntryService';
SET @i = 0;
WHILE @i < 10
BEGIN
    SEND ON CONVERSATION @dh (N'm' + CAST(@i AS nvarchar(10)));
    SET @i = @i + 1;
END;
GO

-- Every column of the first message. The list of columns differs a little between releases.
RECEIVE TOP (1) * FROM tradeEntryQueue;
GO
SELECT COUNT(*) AS left_over FROM tradeEntryQueue;
GO
--! rows
--! 9

-- Columns, expressions, constants and three kinds of alias. status is 0 in whatever RECEIVE returns.
RECEIVE TOP (1)
    message_sequence_number AS seq,
    CAST(message_body AS nvarchar(20)) body,
    contract = service_contract_name,
    service_name, message_type_name, priority, RTRIM(validation) AS validation, status, N'read' AS remark
FROM dbo.tradeEntryQueue;
GO
--! rows
--! columns seq | body | contract | service_name | message_type_name | priority | validation | status | remark
--! 1 | m1 | DEFAULT | tradeEntryService | DEFAULT | 5 | N | 0 | read

-- Into variables: then there is no result set.
DECLARE @body nvarchar(20), @seq bigint;
RECEIVE TOP (1) @seq = message_sequence_number, @body = CAST(message_body AS nvarchar(20)) FROM tradeEntryQueue;
SELECT @seq AS seq, @body AS body;
GO
--! rows
--! 2 | m2

-- Into a table variable; TOP takes a variable too, and the queue may be named in full.
DECLARE @n int;
DECLARE @messages TABLE (handle uniqueidentifier, body nvarchar(20), type_name sysname);
SET @n = 2;
RECEIVE TOP (@n) conversation_handle, CAST(message_body AS nvarchar(20)), message_type_name
FROM DMBrokerage.dbo.tradeEntryQueue
INTO @messages;
SELECT body, type_name FROM @messages ORDER BY body;
GO
--! rows
--! m3 | DEFAULT
--! m4 | DEFAULT

-- Only this conversation, only this group.
DECLARE @handle uniqueidentifier, @group uniqueidentifier;
SELECT TOP (1) @handle = conversation_handle, @group = conversation_group_id FROM tradeEntryQueue;
RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) AS body
FROM tradeEntryQueue
WHERE conversation_handle = @handle;
RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) AS body
FROM tradeEntryQueue
WHERE conversation_group_id = @group;
GO
--! rows
--! m5
--! rows
--! m6

-- Wait if need be. There is a message, so none of the two waits: -1 stands for ever, like no TIMEOUT at all.
WAITFOR (
    RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) AS body FROM tradeEntryQueue
), TIMEOUT -1;
WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) AS body FROM tradeEntryQueue);
GO
--! rows
--! m7
--! rows
--! m8

-- Without TOP: everything of one conversation group, here the last message.
RECEIVE message_sequence_number AS seq, CAST(message_body AS nvarchar(20)) AS body FROM tradeEntryQueue;
GO
--! rows
--! 9 | m9

-- An empty queue gives an empty result, after half a second. Variables keep what they held: look at @@ROWCOUNT.
DECLARE @body nvarchar(20), @n int;
SET @body = N'old';
WAITFOR (
    RECEIVE TOP (1) @body = CAST(message_body AS nvarchar(20)) FROM tradeEntryQueue
), TIMEOUT 500;
SET @n = @@ROWCOUNT;
SELECT @n AS messages, @body AS body;
RECEIVE TOP (1) message_type_name FROM tradeEntryQueue;
GO
--! rows
--! 0 | old
--! rows

-- Either variables or a result set, not both ...
DECLARE @body varbinary(max);
RECEIVE TOP (1) @body = message_body, message_type_name FROM tradeEntryQueue;
GO
--! error 8447
-- ... nor variables and a table.
DECLARE @body varbinary(max);
DECLARE @messages TABLE (body varbinary(max));
RECEIVE TOP (1) @body = message_body FROM tradeEntryQueue INTO @messages;
GO
--! error 8450
-- A conversation that is none.
DECLARE @handle uniqueidentifier;
SET @handle = NEWID();
RECEIVE TOP (1) message_body FROM tradeEntryQueue WHERE conversation_handle = @handle;
GO
--! error 8426
