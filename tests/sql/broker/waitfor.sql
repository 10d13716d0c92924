-- WAITFOR around RECEIVE and GET CONVERSATION GROUP; what wakes it.
CREATE DATABASE Waits;
GO
USE Waits;
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Gone;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
-- Time-outs: literal, variable; the rowset is empty, @@ROWCOUNT 0, variables unchanged.
DECLARE @b nvarchar(10) = N'same', @ms int = 250, @start datetime = GETUTCDATE();
WAITFOR (RECEIVE @b = message_body FROM Q2), TIMEOUT 500;
SELECT @b, @@ROWCOUNT, DATEDIFF(ms, @start, GETUTCDATE());
WAITFOR (RECEIVE * FROM Q2), TIMEOUT @ms;
SELECT DATEDIFF(ms, @start, GETUTCDATE());
WAITFOR (RECEIVE status FROM Q2), TIMEOUT 0;
GO
--! rows
--! same | 0 | 500
--! rows
--! rows
--! 750
--! rows
--! spec WAITFOR-1 WAITFOR-3 WAITFOR-9 WAITFOR-10
-- No TIMEOUT, and -1: for ever, until a message comes.
--! session one IN Waits
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2);
GO
--! blocked
--! spec WAITFOR-6
--! session two IN Waits
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT -1;
GO
--! blocked
--! spec WAITFOR-7
--! advance 1h
--! session main
USE Waits;
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN TRANSACTION;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'a0');
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @b (N'b0');
COMMIT;
GO
--! spec WAITFOR-13
--! session one
--! finishes
--! rows
--! *
--! session two
--! finishes
--! rows
--! *
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 0
-- Messages of a rolled back transaction wake nobody; the end of another transaction that gives a group back does.
--! session one
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier = (SELECT MIN(CAST(conversation_handle AS char(36))) FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'later');
GO
--! session two
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT 60000;
GO
--! blocked
--! session one
ROLLBACK;
GO
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier = (SELECT MIN(CAST(conversation_handle AS char(36))) FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'committed');
COMMIT;
GO
--! session two
--! finishes
--! rows
--! committed
DECLARE @h uniqueidentifier = (SELECT MIN(CAST(conversation_handle AS char(36))) FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'one'); SEND ON CONVERSATION @h (N'two');
GO
--! session one
BEGIN TRANSACTION;
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! one
--! session two
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT 60000;
GO
--! blocked
--! session one
COMMIT;
GO
--! session two
--! finishes
--! rows
--! two
-- GET CONVERSATION GROUP locks without consuming; repeated in one transaction it goes through RECEIVE WHERE.
DECLARE @h uniqueidentifier = (SELECT MIN(CAST(conversation_handle AS char(36))) FROM sys.conversation_endpoints WHERE is_initiator = 1);
DECLARE @g uniqueidentifier = NEWID();
WAITFOR (GET CONVERSATION GROUP @g FROM Q2), TIMEOUT 100;
SELECT @g;
SEND ON CONVERSATION @h (N'grouped');
BEGIN TRANSACTION;
GET CONVERSATION GROUP @g FROM Q2;
SELECT COUNT(*) FROM Q2;
RECEIVE CAST(message_body AS nvarchar(10)), CASE WHEN conversation_group_id = @g THEN 'same' END FROM Q2 WHERE conversation_group_id = @g;
COMMIT;
GO
--! rows
--! NULL
--! rows
--! 1
--! rows
--! grouped | same
--! spec GETGROUP-1 GETGROUP-4 GETGROUP-5
--! session one
DECLARE @g uniqueidentifier;
WAITFOR (GET CONVERSATION GROUP @g FROM dbo.Q2), TIMEOUT 5000;
SELECT CASE WHEN @g IS NULL THEN 'none' ELSE 'group' END;
GO
--! blocked
--! spec WAITFOR-2
--! session two
DECLARE @h uniqueidentifier = (SELECT MIN(CAST(conversation_handle AS char(36))) FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'wakes');
GO
--! session one
--! finishes
--! rows
--! group
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! wakes
-- The queue is disabled while a session waits: 9617 at once. A disabled queue refuses both statements.
WAITFOR (RECEIVE * FROM Q2), TIMEOUT 60000;
GO
--! blocked
--! session two
ALTER QUEUE Q2 WITH STATUS = OFF;
GO
--! session one
--! finishes
--! error 9617
DECLARE @g uniqueidentifier;
GET CONVERSATION GROUP @g FROM Q2;
GO
--! error 9617
WAITFOR (RECEIVE * FROM Q2), TIMEOUT 1000;
GO
--! error 9617
SELECT COUNT(*) FROM Q2;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! 0
-- The queue is dropped while a session waits: an error at once.
WAITFOR (RECEIVE * FROM Gone);
GO
--! blocked
--! session two
DROP QUEUE Gone;
GO
--! spec WAITFOR-17
--! session one
--! finishes
--! error 208
-- The service moves to another queue while a session waits for one of its conversations (2.4).
DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0);
WAITFOR (RECEIVE * FROM Q2 WHERE conversation_handle = @h);
GO
--! blocked
--! session two
ALTER SERVICE S2 ON QUEUE Q1;
GO
--! spec WAITFOR-18 SERVICE-19
--! session one
--! finishes
--! error 8468
-- TIMEOUT without WAITFOR, other statements inside, and NULL.
RECEIVE * FROM Q2, TIMEOUT 100;
GO
--! error 102
--! spec WAITFOR-12
WAITFOR (SELECT 1), TIMEOUT 100;
GO
--! error 156
--! spec WAITFOR-11
-- WAITFOR DELAY and TIME sleep.
DECLARE @start datetime = GETUTCDATE(), @d varchar(12) = '00:00:03';
WAITFOR DELAY '00:00:02.500';
WAITFOR DELAY @d;
SELECT DATEDIFF(ms, @start, GETUTCDATE());
GO
--! rows
--! 5500
--! spec WAITFOR-19
