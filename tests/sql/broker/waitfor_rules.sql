-- WAITFOR and GET CONVERSATION GROUP: syntax, time-outs, what may stand inside, which group is chosen.
CREATE DATABASE WaitRules;
GO
USE WaitRules;
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Gone;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE S3 ON QUEUE Q1;
CREATE TABLE H (name char(1), h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S3 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
INSERT INTO H VALUES ('c', @h);
GO
WAITFOR (RECEIVE * FROM Q2), TIMEOUT = 100;
GO
--! error 102
--! spec WAITFOR-4
WAITFOR (RECEIVE * FROM Q2) TIMEOUT 100;
GO
--! error 102
WAITFOR (RECEIVE * FROM Q2), TIMEOUT 50 + 50;
GO
--! error 102
WAITFOR (RECEIVE * FROM Q2), TIMEOUT 1.5;
GO
--! error 102
WAITFOR (RECEIVE * FROM Q2), TIMEOUT '100';
GO
--! error 102
DECLARE @n int = 1; WAITFOR (RECEIVE * FROM Q2), TIMEOUT -@n;
GO
--! error 102
--! spec WAITFOR-5
WAITFOR (RECEIVE * FROM Q2; RECEIVE * FROM Q1), TIMEOUT 100;
GO
--! error 102
DECLARE @h uniqueidentifier; WAITFOR (END CONVERSATION @h), TIMEOUT 100;
GO
--! error 156
WAITFOR (), TIMEOUT 100;
GO
--! error 102
--! spec WAITFOR-11
WAITFOR (RECEIVE * FROM Q2), TIMEOUT 2147483648;
GO
--! error 8115
DECLARE @n varchar(10) = 'soon'; WAITFOR (RECEIVE * FROM Q2), TIMEOUT @n;
GO
--! error 245
--! spec WAITFOR-25
WAITFOR DELAY '24:00:00';
GO
--! error 148
DECLARE @began datetime = GETUTCDATE();
WAITFOR DELAY '23:59:59.990';
SELECT DATEDIFF(second, @began, GETUTCDATE());
GO
--! rows
--! 86399
--! spec WAITFOR-21
-- From 23:59:59.990 of one day until 01:00 of the next.
WAITFOR TIME '01:00';
SELECT CONVERT(char(5), GETDATE(), 108);
GO
--! rows
--! 01:00
--! spec WAITFOR-20
-- Inside, RECEIVE keeps its forms: columns, WHERE, INTO; the time-out adds no row.
DECLARE @h uniqueidentifier, @t uniqueidentifier, @b nvarchar(10) = N'old';
DECLARE @got TABLE (n int IDENTITY, body nvarchar(10));
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
INSERT INTO H VALUES ('a', @h);
SEND ON CONVERSATION @h (N'1'); SEND ON CONVERSATION @h (N'2'); SEND ON CONVERSATION @h (N'3');
WAITFOR (RECEIVE TOP (1) @t = conversation_handle, @b = message_body FROM Q2), TIMEOUT 10;
WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2 INTO @got WHERE conversation_handle = @t), TIMEOUT 10;
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) AS body, message_sequence_number AS n FROM Q2), TIMEOUT 10;
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 INTO @got WHERE conversation_handle = @t), TIMEOUT 10;
SELECT @b; SELECT body FROM @got;
GO
--! rows
--! columns body | n
--! 3 | 2
--! rows
--! 1
--! rows
--! 2
--! spec WAITFOR-23 WAITFOR-10
-- NULL and any negative number: for ever. The wait shows as BROKER_RECEIVE_WAITFOR.
--! session one IN WaitRules
DECLARE @n int; WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT @n;
GO
--! blocked
--! session two IN WaitRules
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT -2;
GO
--! blocked
--! advance 24h
--! session main
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
SELECT DISTINCT wait_type FROM sys.dm_exec_requests WHERE wait_type LIKE 'BROKER%';
SEND ON CONVERSATION @h (N'4');
GO
--! rows
--! BROKER_RECEIVE_WAITFOR
--! spec WAITFOR-22
--! session one
--! finishes
--! rows
--! 4
--! session main
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
SEND ON CONVERSATION @h (N'5');
GO
--! session two
--! finishes
--! rows
--! 5
--! spec WAITFOR-8 WAITFOR-13 WAITFOR-28
-- GET CONVERSATION GROUP chooses as RECEIVE does: the highest priority, then the oldest; the group is locked, and returned again while it has messages.
CREATE BROKER PRIORITY High FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT], LOCAL_SERVICE_NAME = S2, PRIORITY_LEVEL = 8);
DECLARE @low uniqueidentifier = (SELECT h FROM H WHERE name = 'a'), @high uniqueidentifier;
SEND ON CONVERSATION @low (N'low');
BEGIN DIALOG @high FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @high (N'high 1'); SEND ON CONVERSATION @high (N'high 2');
INSERT INTO H VALUES ('b', @high);
GO
--! session one
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier, @again uniqueidentifier;
GET CONVERSATION GROUP @g FROM Q2;
SELECT DISTINCT priority FROM Q2 WHERE conversation_group_id = @g;
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2;
GET CONVERSATION GROUP @again FROM Q2;
SELECT CASE WHEN @again = @g THEN 'again' END;
GO
--! rows
--! 8
--! rows
--! high 1
--! rows
--! again
--! spec GETGROUP-2 GETGROUP-8 LEVEL-1
-- Locked until the transaction ends: another session gets the other group.
--! session two
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! low
--! rows
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT 60000;
GO
--! blocked
--! session one
COMMIT;
GO
--! session two
--! finishes
--! rows
--! high 2
--! spec GETGROUP-3 LOCK-5 LOCK-8 WAITFOR-14
-- Successive calls lock one group after the other, once the first has no messages left.
--! session main
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a'), @b uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
SEND ON CONVERSATION @a (N'a'); SEND ON CONVERSATION @b (N'b');
BEGIN TRANSACTION;
DECLARE @first uniqueidentifier, @second uniqueidentifier;
GET CONVERSATION GROUP @first FROM Q2;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_group_id = @first;
GET CONVERSATION GROUP @second FROM Q2;
SELECT CASE WHEN @second <> @first THEN 'another' END;
GO
--! rows
--! b
--! rows
--! another
--! session two
RECEIVE status FROM Q2;
GO
--! rows
--! spec GETGROUP-7
--! session main
ROLLBACK;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2; RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! b
--! rows
--! a
--! session two
-- Errors: no such queue; a queue that is dropped or disabled while it is waited for.
DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM NoSuchQueue;
GO
--! error 208
--! spec GETGROUP-13
DECLARE @g uniqueidentifier; WAITFOR (GET CONVERSATION GROUP @g FROM Gone);
GO
--! blocked
--! session one
DROP QUEUE Gone;
GO
--! session two
--! finishes
--! error 208
--! spec GETGROUP-10
DECLARE @g uniqueidentifier; WAITFOR (GET CONVERSATION GROUP @g FROM Q2);
GO
--! blocked
--! session one
ALTER QUEUE Q2 WITH STATUS = OFF;
GO
--! session two
--! finishes
--! error 9617
DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM Q2;
GO
--! error 9617
--! spec GETGROUP-9
WAITFOR (RECEIVE * FROM Q1);
GO
--! blocked
--! session one
ALTER QUEUE Q1 WITH STATUS = OFF;
GO
--! session two
--! finishes
--! error 9617
--! spec WAITFOR-16
ALTER QUEUE Q1 WITH STATUS = ON; ALTER QUEUE Q2 WITH STATUS = ON;
GO
-- The service is dropped while its conversation is waited for. A waiting reader is counted.
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'c');
WAITFOR (RECEIVE * FROM Q1 WHERE conversation_handle = @h);
GO
--! blocked
--! session one
DROP SERVICE S3;
GO
--! session two
--! finishes
--! error 8426
--! spec WAITFOR-26
WAITFOR (RECEIVE * FROM Q1), TIMEOUT 5000;
GO
--! blocked
--! session one
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Nothing, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
SELECT m.tasks_waiting FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q1';
ALTER QUEUE Q1 WITH ACTIVATION (DROP);
GO
--! rows
--! 1
--! spec WAITFOR-27
--! advance 5s
--! session two
--! finishes
--! rows
-- A rolled back SEND wakes nobody.
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2), TIMEOUT 5000;
GO
--! blocked
--! session one
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
SEND ON CONVERSATION @h (N'never');
ROLLBACK;
GO
--! settle
--! session two
--! session one
--! advance 5s
--! session two
--! finishes
--! rows
--! spec WAITFOR-24
