-- RECEIVE: what its clauses refuse, names of columns, which group it takes.
CREATE DATABASE ReceiveRules;
GO
USE ReceiveRules;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'a1'); SEND ON CONVERSATION @a (N'a2');
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @b (N'b1'); SEND ON CONVERSATION @b (N'b2'); SEND ON CONVERSATION @b (N'b3');
GO
-- TOP.
RECEIVE TOP (-1) * FROM Q2;
GO
--! error 1014
DECLARE @n int; RECEIVE TOP (@n) * FROM Q2;
GO
--! error 1014
--! spec RECEIVE-6
RECEIVE TOP (1) PERCENT * FROM Q2;
GO
--! error 156
RECEIVE TOP (1) WITH TIES * FROM Q2;
GO
--! error 156
--! spec RECEIVE-7
-- INTO: a declared table variable, after FROM.
CREATE TABLE #t (status tinyint); RECEIVE status FROM Q2 INTO #t;
GO
--! error 102
RECEIVE status FROM Q2 INTO @t;
GO
--! error 1087
DECLARE @t int; RECEIVE status FROM Q2 INTO @t;
GO
--! error 1087
DECLARE @t TABLE (status tinyint); RECEIVE status INTO @t FROM Q2;
GO
--! error 156
--! spec RECEIVE-17
-- WHERE: one column, =, a literal or a variable.
RECEIVE * FROM Q2 WHERE conversation_handle = NEWID();
GO
--! error 102
DECLARE @h uniqueidentifier; RECEIVE * FROM Q2 WHERE conversation_handle = ISNULL(@h, @h);
GO
--! error 102
RECEIVE * FROM Q2 WHERE conversation_handle = (SELECT TOP (1) conversation_handle FROM Q2);
GO
--! error 102
DECLARE @h uniqueidentifier; RECEIVE * FROM Q2 WHERE conversation_handle > @h;
GO
--! error 102
DECLARE @h uniqueidentifier; RECEIVE * FROM Q2 WHERE @h = conversation_handle;
GO
--! error 102
DECLARE @h uniqueidentifier; RECEIVE * FROM Q2 WHERE conversation_handle IN (@h);
GO
--! error 156
DECLARE @h uniqueidentifier; RECEIVE * FROM Q2 WHERE conversation_handle = @h OR conversation_group_id = @h;
GO
--! error 156
--! spec RECEIVE-21 RECEIVE-22 RECEIVE-23
-- No other clause of a SELECT, and no place where a SELECT could stand.
RECEIVE * FROM Q2 AS q;
GO
--! error 156
RECEIVE * FROM Q2 WITH (NOLOCK);
GO
--! error 319
--! spec RECEIVE-51
RECEIVE DISTINCT status FROM Q2;
GO
--! error 156
RECEIVE status FROM Q2 ORDER BY status;
GO
--! error 156
RECEIVE status FROM Q2, Q1;
GO
--! error 102
DECLARE c CURSOR FOR RECEIVE * FROM Q2;
GO
--! error 102
--! spec RECEIVE-46
DECLARE @t TABLE (status tinyint); INSERT INTO @t RECEIVE status FROM Q2;
GO
--! error 102
SELECT * FROM (RECEIVE * FROM Q2) AS x;
GO
--! error 102
--! spec RECEIVE-47
RECEIVE COUNT(*) FROM Q2;
GO
--! error 40517 text COUNT
--! spec RECEIVE-52
RECEIVE (SELECT 1) AS one FROM Q2;
GO
--! error 1046
RECEIVE CASE WHEN EXISTS (SELECT * FROM Q1) THEN 1 END FROM Q2;
GO
--! error 1046
DECLARE @n int; RECEIVE @n = message_type_id + (SELECT COUNT(*) FROM Q1 WHERE conversation_handle = message_id) FROM Q2;
GO
--! error 1046
RECEIVE CASE WHEN message_type_id IN (SELECT 1) THEN 1 END FROM Q2;
GO
--! error 1046
--! spec RECEIVE-56
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 5
-- The oldest group first; TOP does not reach into the next one; columns by the queue's name; what is received is gone.
RECEIVE TOP (4) Q2.message_sequence_number, CAST(Q2.message_body AS nvarchar(10)) AS body FROM Q2;
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! columns message_sequence_number | body
--! 0 | a1
--! 1 | a2
--! rows
--! 3
--! spec RECEIVE-24 RECEIVE-37 RECEIVE-54 BATCH-3
RECEIVE TOP (1) Q2.* FROM dbo.Q2;
SELECT @@ROWCOUNT;
GO
--! rows
--! columns status | priority | queuing_order | conversation_group_id | conversation_handle | message_sequence_number | service_name | service_id | service_contract_name | service_contract_id | message_type_name | message_type_id | validation | message_body
--! 0 | 5 | * | * | * | 0 | S2 | * | DEFAULT | * | DEFAULT | 14 | N  | *
--! rows
--! 1
--! spec RECEIVE-54 RECEIVE-55
-- conversation_group_id and handle are those of this side.
SELECT CASE WHEN q.conversation_group_id = e.conversation_group_id THEN 'target group' END, e.is_initiator
FROM Q2 AS q JOIN sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle WHERE q.message_sequence_number = 1;
GO
--! rows
--! target group | 0
--! spec GROUP-8
-- Aggregates of what is received are those of the table variable.
RECEIVE COUNT(*) FROM Q2;
GO
--! error 40517 text those of the table variable that it goes INTO.
DECLARE @n int; RECEIVE @n = MAX(message_sequence_number) FROM Q2;
GO
--! error 40517 text those of the table variable that it goes INTO.
