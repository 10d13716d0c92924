-- Scripts with mistakes in them: each is the error that the server gives, at its line, and the script goes on with the next batch.
CREATE DATABASE Faulty;
GO
USE Faulty;
GO
CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
CREATE TABLE T (a int NOT NULL PRIMARY KEY);
GO
-- A module in the middle of a batch.
PRINT 'first'
CREATE PROCEDURE P AS
    SELECT 1
GO
--! error 111 line 3
SELECT 1 AS a
CREATE VIEW V AS SELECT 1 AS a
GO
--! error 111 line 2
DECLARE @x int
CREATE TRIGGER Tr ON T AFTER INSERT AS RETURN
GO
--! error 111 line 2
SET NOCOUNT ON
CREATE FUNCTION F() RETURNS int AS BEGIN RETURN 1 END
GO
--! error 111 line 2
CREATE TABLE T2 (a int)
CREATE SCHEMA Sc
GO
--! error 111 line 2
-- Nothing of a batch with a syntax error runs.
INSERT T VALUES (1)
SELEC * FROM T
GO
--! error 102 line 3
SELECT COUNT(*) FROM T
GO
--! rows
--! 0
-- BEGIN without END, END without BEGIN, TRY without CATCH, ELSE too many.
IF 1 = 1
BEGIN
    PRINT 'x'
GO
--! error 102
PRINT 'x'
END
GO
--! error 156 line 2
BEGIN TRY
    PRINT 'x'
END TRY
PRINT 'y'
GO
--! error 156
IF 1 = 0 PRINT 'a' ELSE PRINT 'b' ELSE PRINT 'c'
GO
--! error 156 line 1
WHILE 1 = 1
GO
--! error 102
SELECT * FROM
GO
--! error 102
EXEC ('SELECT * FROM T WHERE a = ''x')
GO
--! error 105
--! error 102
SELECT (1 + 2
GO
--! error 102
SELECT a FROM T GROUP
GO
--! error 102
EXEC ('SELECT 1 /* a comment that does not end')
GO
--! error 113
CREATE PROCEDURE Loop AS
BEGIN
    DECLARE @a int
    DECLARE @a int
END
GO
--! error 134 line 4
SELECT @undeclared
GO
--! error 137 line 1
SET @undeclared = 1
GO
--! error 137
BREAK
GO
--! error 135
CONTINUE
GO
--! error 136
GOTO nowhere
GO
--! error 133
RETURN 5
GO
--! error 178
CREATE CUEUE Q3 WITH STATUS = ON
GO
--! error 343 line 1
DROP SERVIC S
GO
--! error 343
-- Wrong names.
SELECT * FROM NoTable
GO
--! error 208 line 2
SELECT nocolumn FROM T
GO
--! error 207 line 1
EXEC NoProc
GO
--! error 2812 line 1
SELECT dbo.NoFunction(1)
GO
--! error 4121 line 1
SELECT NoFunction(1)
GO
--! error 195 line 1
USE NoDatabase
GO
--! error 911 line 1
DECLARE @a NoType
GO
--! error 2715 line 1
SELECT T.a FROM T AS x
GO
--! error 4104 line 1
INSERT T (a, b) VALUES (1, 2)
GO
--! error 207
INSERT T (a) VALUES (1, 2)
GO
--! error 110
INSERT T VALUES (1, 2)
GO
--! error 213
INSERT T (a) SELECT 1, 2
GO
--! error 121
SELECT a, COUNT(*) FROM T
GO
--! error 8120
SELECT 1 UNION SELECT 1, 2
GO
--! error 205
CREATE TABLE T (a int)
GO
--! error 2714
DROP TABLE NoTable
GO
--! error 3701
DROP PROCEDURE NoProc
GO
--! error 3701
ALTER PROCEDURE NoProc AS SELECT 1
GO
--! error 208
ALTER TABLE NoTable ADD b int
GO
--! error 4902
COMMIT
GO
--! error 3902
ROLLBACK
GO
--! error 3903
-- The broker's mistakes.
DECLARE @h uniqueidentifier
SEND ON CONVERSATION @h (N'x')
PRINT 'goes on'
GO
--! error 8418 line 3
--! print goes on
DECLARE @h uniqueidentifier = NEWID(); SEND ON CONVERSATION @h (N'x')
GO
--! error 8426
DECLARE @h uniqueidentifier = NEWID(); END CONVERSATION @h
GO
--! error 8426
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' ON CONTRACT Nothing WITH ENCRYPTION = OFF
GO
--! error 8425
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Nobody TO SERVICE 'S' WITH ENCRYPTION = OFF
GO
--! error 8423
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE Nothing (N'x')
GO
--! error 8428
CREATE MESSAGE TYPE Other
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE Other (N'x')
GO
--! error 8431 line 2
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (NULL)
GO
--! error 8433
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF, LIFETIME = 0
GO
--! error 8411
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF
END CONVERSATION @h
END CONVERSATION @h
GO
--! error 8426 line 3
RECEIVE * FROM NoQueue
GO
--! error 208
RECEIVE * FROM T
GO
--! error 208
RECEIVE nocolumn FROM Q
GO
--! error 207
RECEIVE * FROM Q WHERE status = 1
GO
--! error 102
WAITFOR (SELECT * FROM Q), TIMEOUT 1000
GO
--! error 156
RECEIVE TOP (1) * FROM Q, TIMEOUT 100
GO
--! error 102
CREATE CONTRACT C (NoType SENT BY ANY)
GO
--! error 15151
CREATE CONTRACT C (Other SENT BY TARGET)
GO
--! error 8492
CREATE SERVICE S2 ON QUEUE NoQueue
GO
--! error 208
CREATE SERVICE S2 ON QUEUE Q (NoContract)
GO
--! error 15151
CREATE QUEUE Q
GO
--! error 2714
CREATE SERVICE S ON QUEUE Q
GO
--! error 2714
CREATE MESSAGE TYPE Other
GO
--! error 2714
DROP QUEUE Q
GO
--! error 3716
DROP QUEUE NoQueue
GO
--! error 3701
INSERT Q (status) VALUES (1)
GO
--! error 416
DELETE FROM Q
GO
--! error 416
UPDATE Q SET status = 1
GO
--! error 416
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON)
GO
--! error 9613
ALTER QUEUE NoQueue WITH STATUS = OFF
GO
--! error 208
CREATE QUEUE Q2 WITH ACTIVATION (PROCEDURE_NAME = P, MAX_QUEUE_READERS = 1)
GO
--! error 102
BEGIN CONVERSATION TIMER ('not a guid') TIMEOUT = 1
GO
--! error 8169
-- EXEC (…) takes literals and variables only; a number becomes text.
DECLARE @n int = 3
EXEC ('SELECT ' + CAST(@n AS varchar(5)))
GO
--! error 102 line 3
DECLARE @n int = 3, @none nvarchar(10)
EXEC ('SELECT ' + @n + @none + N' AS three')
GO
--! rows
--! columns three
--! 3
