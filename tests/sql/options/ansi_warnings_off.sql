-- ANSI_WARNINGS OFF (page "SET ANSI_WARNINGS"): INSERT and UPDATE cut what is too long, and aggregates say nothing of NULLs.
CREATE TABLE dbo.T (id int IDENTITY, a char(3) NULL, v nvarchar(2) NULL, b varbinary(2) NULL, n tinyint NULL);
INSERT dbo.T (a) VALUES ('abcdef');
GO
--! error 2628
SET ANSI_WARNINGS OFF;
INSERT dbo.T (a, v, b) VALUES ('abcdef', N'xyz', 0x010203);
INSERT dbo.T (a, v, b) SELECT 'ghijkl', N'uvw', 0x0A0B0C;
UPDATE dbo.T SET a = 'mnopqr' WHERE a = 'ghi';
MERGE dbo.T USING (VALUES (1, 'stuvwx')) AS s (id, a) ON 1 = 0 WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a);
SELECT a, v, b FROM dbo.T ORDER BY id;
SELECT SUM(n) FROM dbo.T;
PRINT 'no warning';
SET ANSI_WARNINGS ON;
SELECT SUM(n) FROM dbo.T;
INSERT dbo.T (a) VALUES ('abcdef');
GO
--! rows
--! abc | xy | 0x0102
--! mno | uv | 0x0A0B
--! stu | NULL | NULL
--! rows
--! NULL
--! rows
--! NULL
--! error 2628
--! print no warning
--! print NULL was left out
--! print ended
-- The option is the session's: the same text means something else under it. A module's own SET ends with it.
CREATE PROCEDURE dbo.Adds @a varchar(10) AS INSERT dbo.T (a) VALUES (@a);
GO
CREATE PROCEDURE dbo.Switches AS
SET ANSI_WARNINGS OFF;
EXEC dbo.Adds 'inner!';
GO
EXEC dbo.Adds 'abcdef';
GO
--! error 2628
EXEC dbo.Switches;
EXEC dbo.Adds 'abcdef';
GO
--! error 2628
SET ANSI_WARNINGS OFF;
GO
EXEC dbo.Adds 'abcdef';
SELECT a FROM dbo.T ORDER BY id;
GO
--! rows
--! abc
--! mno
--! stu
--! inn
--! abc
-- ARITHABORT ON and ANSI_WARNINGS OFF: an error of arithmetic ends the batch.
SELECT 1 / 0;
PRINT 'not reached';
GO
--! error 8134
DECLARE @t tinyint = 300;
PRINT 'not reached';
GO
--! error 220
SELECT 1 / (id - id) FROM dbo.T;
PRINT 'not reached';
GO
--! error 8134
SET ANSI_WARNINGS ON;
GO
SELECT 1 / 0;
PRINT 'reached';
GO
--! error 8134
--! print reached
-- OUTPUT … INTO and RECEIVE … INTO cut too.
CREATE DATABASE App;
GO
USE App;
GO
CREATE QUEUE dbo.Q;
CREATE SERVICE S ON QUEUE dbo.Q ([DEFAULT]);
CREATE TABLE dbo.T (a char(3));
INSERT dbo.T VALUES ('mno');
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (0x0102030405);
GO
SET ANSI_WARNINGS OFF;
DECLARE @kept TABLE (v char(2));
DECLARE @received TABLE (body varbinary(2));
DELETE dbo.T OUTPUT deleted.a INTO @kept WHERE a = 'mno';
SELECT v FROM @kept;
RECEIVE message_body FROM dbo.Q INTO @received;
SELECT body FROM @received;
GO
--! rows
--! mn
--! rows
--! 0x0102
