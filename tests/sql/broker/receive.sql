-- RECEIVE in all its forms.
CREATE DATABASE Receives;
GO
USE Receives;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
CREATE PROCEDURE Fill @n int AS
BEGIN
    DECLARE @h uniqueidentifier, @i int = 1;
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    WHILE @i <= @n
    BEGIN
        DECLARE @b nvarchar(10) = CAST(@i AS nvarchar(10));
        SEND ON CONVERSATION @h (@b);
        SET @i += 1;
    END;
END;
GO
-- The columns of * and of SELECT * FROM queue (5.1).
EXEC Fill 1;
SELECT * FROM Q2;
RECEIVE * FROM Q2;
GO
--! rows
--! columns status | priority | queuing_order | conversation_group_id | conversation_handle | message_sequence_number | service_name | service_id | service_contract_name | service_contract_id | message_type_name | message_type_id | validation | message_body | message_id | message_enqueue_time
--! 1 | 5 | 0 | {g} | {h} | 0 | S2 | * | DEFAULT | * | DEFAULT | 14 | N  | 0x3100 | * | 2026-01-01 00:00:00.000
--! rows
--! columns status | priority | queuing_order | conversation_group_id | conversation_handle | message_sequence_number | service_name | service_id | service_contract_name | service_contract_id | message_type_name | message_type_id | validation | message_body
--! 0 | 5 | 0 | {g} | {h} | 0 | S2 | * | DEFAULT | * | DEFAULT | 14 | N  | 0x3100
--! spec RECEIVE-8 RECEIVE-40
-- TOP: a constant, an expression, a variable, 0; without it all of the group.
DECLARE @n int = 1;
EXEC Fill 6;
RECEIVE TOP (2) CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE TOP (@n) CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE TOP (@n + 0) CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE TOP (0) CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
SELECT @@ROWCOUNT;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
SELECT @@ROWCOUNT;
GO
--! rows
--! 1
--! 2
--! rows
--! 3
--! rows
--! 4
--! rows
--! rows
--! 5
--! 6
--! rows
--! 2
--! rows
--! rows
--! 0
--! spec RECEIVE-1 RECEIVE-3 RECEIVE-4 RECEIVE-5 RECEIVE-44 RECEIVE-55 BATCH-2
-- Expressions, constants and the alias forms.
EXEC Fill 1;
RECEIVE TOP (1) 1 AS one, CAST(message_body AS nvarchar(10)) body, seq = message_sequence_number, UPPER(message_type_name) AS [type],
    message_sequence_number + 10 AS plus, CASE WHEN message_body IS NULL THEN 'none' ELSE 'some' END AS has, message_id, message_enqueue_time
FROM dbo.Q2;
GO
--! rows
--! columns one | body | seq | type | plus | has | message_id | message_enqueue_time
--! 1 | 1 | 0 | DEFAULT | 10 | some | * | 2026-01-01 00:00:00.000
--! spec RECEIVE-9 RECEIVE-10 RECEIVE-11
-- Assignment: the last row stays; on an empty queue the variables keep their value.
DECLARE @b nvarchar(10) = N'before', @h uniqueidentifier, @seq bigint = -1, @calc nvarchar(20);
RECEIVE @b = message_body, @seq = message_sequence_number FROM Q2;
SELECT @b, @seq, @@ROWCOUNT;
EXEC Fill 3;
RECEIVE @b = CAST(message_body AS nvarchar(10)), @seq = message_sequence_number, @h = conversation_handle,
    @calc = message_type_name + N'!' FROM Receives.dbo.Q2;
SELECT @b, @seq, @@ROWCOUNT, @calc;
GO
--! rows
--! before | -1 | 0
--! rows
--! 3 | 2 | 3 | DEFAULT!
--! spec RECEIVE-2 RECEIVE-12 RECEIVE-15 RECEIVE-16 RECEIVE-43
-- INTO a table variable: by position, converted; rows are added.
DECLARE @t TABLE (n int IDENTITY, body nvarchar(10), seq int, g uniqueidentifier);
EXEC Fill 2;
RECEIVE CAST(message_body AS nvarchar(10)), message_sequence_number, conversation_group_id FROM Q2 INTO @t;
SELECT @@ROWCOUNT;
EXEC Fill 1;
RECEIVE CAST(message_body AS nvarchar(10)), message_sequence_number, conversation_group_id FROM Q2 INTO @t;
RECEIVE CAST(message_body AS nvarchar(10)), message_sequence_number, conversation_group_id FROM Q2 INTO @t;
SELECT body, seq FROM @t ORDER BY n;
GO
--! rows
--! 2
--! rows
--! 1 | 0
--! 2 | 1
--! 1 | 0
--! spec RECEIVE-19 RECEIVE-20
DECLARE @t TABLE (body nvarchar(10));
RECEIVE message_body, status FROM Q2 INTO @t;
GO
--! error 213
--! spec RECEIVE-18
-- WHERE by handle and by group, with variable and literal.
DECLARE @a uniqueidentifier, @b uniqueidentifier, @ga uniqueidentifier;
EXEC Fill 2; EXEC Fill 2;
SELECT TOP (1) @a = conversation_handle, @ga = conversation_group_id FROM Q2 ORDER BY queuing_order;
SELECT TOP (1) @b = conversation_handle FROM Q2 ORDER BY queuing_order DESC;
RECEIVE TOP (1) queuing_order, message_sequence_number FROM Q2 WHERE conversation_handle = @b;
RECEIVE message_sequence_number FROM Q2 WHERE conversation_group_id = @ga;
RECEIVE message_sequence_number FROM Q2 WHERE conversation_group_id = @ga;
RECEIVE message_sequence_number FROM Q2 WHERE conversation_handle = @a;
RECEIVE message_sequence_number FROM Q2 WHERE conversation_handle = @b;
GO
--! rows
--! * | 0
--! rows
--! 0
--! 1
--! rows
--! rows
--! rows
--! 1
--! spec RECEIVE-26 RECEIVE-27 RECEIVE-31
-- Unknown, foreign, NULL.
DECLARE @h uniqueidentifier, @g uniqueidentifier;
RECEIVE * FROM Q2 WHERE conversation_handle = '99999999-0000-0000-0000-000000000000';
RECEIVE * FROM Q2 WHERE conversation_group_id = '99999999-0000-0000-0000-000000000000';
RECEIVE * FROM Q2 WHERE conversation_handle = @h;
RECEIVE * FROM Q2 WHERE conversation_group_id = @g;
SELECT TOP (1) @h = conversation_handle, @g = conversation_group_id FROM sys.conversation_endpoints WHERE is_initiator = 1;
RECEIVE * FROM Q2 WHERE conversation_handle = @h;
RECEIVE * FROM Q2 WHERE conversation_group_id = @g;
GO
--! error 8426
--! error 8436
--! error 8418
--! error 8420
--! error 8426
--! error 8436
--! spec RECEIVE-28 RECEIVE-29 RECEIVE-30
-- One equality and nothing else.
RECEIVE * FROM Q2 WHERE message_type_id = 1;
GO
--! error 102
--! spec RECEIVE-21
DECLARE @h uniqueidentifier = NEWID();
RECEIVE * FROM Q2 WHERE conversation_handle = @h AND status = 1;
GO
--! error 156
--! spec RECEIVE-23
-- All conversations of one group, one after the other; never two groups in one RECEIVE.
DECLARE @a uniqueidentifier, @b uniqueidentifier, @ta uniqueidentifier, @tb uniqueidentifier, @g uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'a0'); SEND ON CONVERSATION @b (N'b0');
SEND ON CONVERSATION @a (N'a1'); SEND ON CONVERSATION @b (N'b1');
SELECT @ta = conversation_handle, @g = conversation_group_id FROM Q2 WHERE message_body = CAST(N'a0' AS varbinary(10));
SELECT @tb = conversation_handle FROM Q2 WHERE message_body = CAST(N'b0' AS varbinary(10));
MOVE CONVERSATION @tb TO @g;
SELECT COUNT(DISTINCT conversation_group_id) FROM Q2;
RECEIVE TOP (3) CAST(message_body AS nvarchar(10)) FROM Q2;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! 1
--! rows
--! a0
--! a1
--! b0
--! rows
--! b1
--! spec RECEIVE-25 RECEIVE-32 MOVE-2 BATCH-1 BATCH-5
-- A cast in the select list that fails: the statement fails and the message stays.
EXEC Fill 1;
BEGIN TRY
    RECEIVE CAST(CAST(message_body AS nvarchar(10)) + N'x' AS int) FROM Q2;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER();
END CATCH;
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 245
--! rows
--! 1
--! spec RECEIVE-53
-- INSERT ... EXEC of a procedure that receives.
CREATE PROCEDURE Take AS RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
DECLARE @t TABLE (b nvarchar(10));
INSERT INTO @t EXEC Take;
SELECT b FROM @t;
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 1
--! rows
--! 0
--! spec RECEIVE-48
-- Queues are read with SELECT like a table, with hints, joins and other databases' names.
EXEC Fill 2;
SELECT q.message_sequence_number, t.name FROM Receives.dbo.Q2 AS q WITH (NOLOCK) JOIN sys.service_message_types t
    ON t.message_type_id = q.message_type_id WHERE q.status = 1 ORDER BY q.queuing_order;
GO
--! rows
--! 0 | DEFAULT
--! 1 | DEFAULT
