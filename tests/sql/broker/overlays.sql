-- A transaction reads queues, and functions read tables, with its own changes laid over them. What merely looks like the
-- name of a relation (a literal, a column) stays what it is.
CREATE DATABASE Laid;
GO
USE Laid;
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
CREATE TABLE T ([the broker_messages seen] int, a nvarchar(50));
INSERT T VALUES (1, N'x broker_messages y');
GO
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
SELECT 'x broker_messages y' AS a, COUNT(*) AS n FROM Q WHERE ' broker_messages' = ' broker' + '_messages';
SELECT t.a, t.[the broker_messages seen], COUNT(*) AS n
FROM Q CROSS JOIN T AS t WHERE t.a = N'x broker_messages y' GROUP BY t.a, t.[the broker_messages seen];
SELECT (SELECT COUNT(*) FROM sys.conversation_endpoints) AS [broker_conversation_endpoints here], COUNT(*) AS [broker_messages] FROM Q;
ROLLBACK;
SELECT COUNT(*) AS n FROM Q;
GO
--! rows
--! x broker_messages y | 1
--! rows
--! x broker_messages y | 1 | 1
--! rows
--! columns broker_conversation_endpoints here | broker_messages
--! 2 | 1
--! rows
--! 0
-- A function that a query of the same transaction calls: the name of the table's storage in a literal of it.
CREATE FUNCTION F (@n int) RETURNS nvarchar(100) AS
BEGIN
    RETURN (SELECT TOP (1) a + N' in "Laid.dbo"."T"' FROM T WHERE [the broker_messages seen] = @n);
END;
GO
BEGIN TRANSACTION;
UPDATE T SET a = N'new';
SELECT dbo.F([the broker_messages seen]) FROM T;
ROLLBACK;
SELECT dbo.F([the broker_messages seen]) FROM T;
GO
--! rows
--! new in "Laid.dbo"."T"
--! rows
--! x broker_messages y in "Laid.dbo"."T"
