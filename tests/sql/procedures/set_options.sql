-- SET options: what they change, where they end, and their bits in @@OPTIONS.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(max), N nvarchar(max), B varbinary(max));
INSERT dbo.T VALUES (1, 'abcdefghij', N'abcdefghij', 0x0102030405060708);
GO
-- FMTONLY: columns without rows, and nothing changes.
SET FMTONLY ON;
SELECT Id, V FROM dbo.T;
SELECT 1 AS one;
INSERT dbo.T (Id) VALUES (2);
DELETE dbo.T;
DROP TABLE dbo.T;
SET FMTONLY OFF;
SELECT Id FROM dbo.T;
GO
--! rows
--! columns Id | V
--! rows
--! columns one
--! rows
--! 1
CREATE PROCEDURE dbo.Shows AS
DELETE dbo.T;
SELECT Id FROM dbo.T WHERE Id > 0;
GO
SET FMTONLY ON;
EXEC dbo.Shows;
GO
--! rows
--! columns Id
SET FMTONLY OFF;
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! 1
-- TEXTSIZE cuts what SELECT shows of (max) columns, in bytes; 0 is 4 KB.
SET TEXTSIZE 4;
SELECT V, N, B, CAST(V AS varchar(20)) FROM dbo.T;
DECLARE @v varchar(max);
SELECT @v = V FROM dbo.T;
SELECT LEN(@v), @@TEXTSIZE;
SET TEXTSIZE 0;
SELECT @@TEXTSIZE;
SET TEXTSIZE -1;
SELECT V FROM dbo.T;
GO
--! rows
--! abcd | ab | 0x01020304 | abcdefghij
--! rows
--! 10 | 4
--! rows
--! 4096
--! rows
--! abcdefghij
-- SHOWPLAN would keep statements from running: it is refused, and they do not run by mistake.
SET SHOWPLAN_ALL ON;
DELETE dbo.T;
GO
--! error 40517
SET SHOWPLAN_TEXT OFF;
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! 1
-- Bits of @@OPTIONS; ANSI_DEFAULTS sets seven options at once; ANSI_NULL_DFLT_ON and _OFF exclude each other.
SET ANSI_NULL_DFLT_OFF ON;
SELECT @@OPTIONS & 3072;
CREATE TABLE dbo.NotNull (a int);
INSERT dbo.NotNull VALUES (NULL);
SET ANSI_NULL_DFLT_ON ON;
SELECT @@OPTIONS & 3072;
SET ARITHIGNORE ON;
SELECT @@OPTIONS & 128;
SET ARITHIGNORE OFF;
SET ANSI_DEFAULTS ON;
SELECT @@OPTIONS & (2 | 4 | 8 | 16 | 32 | 256 | 1024);
SET IMPLICIT_TRANSACTIONS, CURSOR_CLOSE_ON_COMMIT OFF;
SET NOCOUNT, XACT_ABORT ON;
SELECT @@OPTIONS & (512 | 16384);
SET NOCOUNT, XACT_ABORT OFF;
GO
--! rows
--! 2048
--! error 515
--! rows
--! 1024
--! rows
--! 128
--! rows
--! 1342
--! rows
--! 16896
-- What a procedure, a trigger or dynamic SQL sets ends with it.
CREATE PROCEDURE dbo.Sets AS
SET NOCOUNT ON; SET XACT_ABORT ON; SET DATEFIRST 3; SET LOCK_TIMEOUT 77; SET ROWCOUNT 1; SET TEXTSIZE 9;
SELECT @@OPTIONS & 16896, @@DATEFIRST, @@LOCK_TIMEOUT, @@TEXTSIZE;
GO
EXEC dbo.Sets;
EXEC ('SET XACT_ABORT ON; SET DATEFORMAT dmy');
SELECT @@OPTIONS & 16896, @@DATEFIRST, @@LOCK_TIMEOUT, @@TEXTSIZE, MONTH('2/3/2026');
SELECT x FROM (VALUES (1), (2)) AS v (x);
GO
--! rows
--! 16896 | 3 | 77 | 9
--! rows
--! 0 | 7 | -1 | -1 | 2
--! rows
--! 1
--! 2
SET XACT_ABORT 1;
GO
--! error 102 text near '1'
