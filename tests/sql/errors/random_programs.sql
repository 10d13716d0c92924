-- What random programs have found: each of these once ended in a Python exception.
CREATE DATABASE d;
GO
USE d;
GO
CREATE TABLE dbo.t (a int, b decimal(9, 2), c decimal(9, 2));
CREATE SEQUENCE dbo.n AS int;
GO
-- Nothing can be made in the schemas of the system.
CREATE TABLE sys.x (a int);
GO
--! error 2760 line 2
CREATE SEQUENCE INFORMATION_SCHEMA.x;
GO
--! error 2760
DECLARE @c cursor;
SET @c = 1 + 2;
GO
--! error 206 line 2
DECLARE @c cursor;
SET @c += 1;
GO
--! error 206 line 2
SET DATEFIRST 'FN';
GO
--! error 2743 line 1
SET ROWCOUNT 'many';
GO
--! error 2743
SET LOCK_TIMEOUT never;
GO
--! error 2743
SET DEADLOCK_PRIORITY 'urgent';
GO
--! error 2743
DECLARE @v int;
INSERT dbo.t (a) OUTPUT @v = 1 VALUES (1);
GO
--! error 102 line 2
ALTER TABLE dbo.t ALTER COLUMN b AS a;
GO
--! error 102
INSERT dbo.t (b) VALUES (1e308);
GO
--! error 8115
UPDATE dbo.t SET b = CAST(1e300 AS float);
GO
ALTER AUTHORIZATION ON dbo.n TO SCHEMA OWNER;
GO
--! error 40517
THROW @@VERSION, 'x', 1;
GO
--! error 245
THROW 50001, 'x', NULL;
GO
--! error 50001 state 0
RAISERROR('x', 'severe', 1);
GO
--! error 245
DECLARE @number nvarchar(10) = N'50002';
THROW @number, N'yes', 7;
GO
--! error 50002 state 7 text yes
SELECT COUNT(*) FROM dbo.t;
GO
--! rows
--! 0
DECLARE @d decimal(max);
GO
--! error 102
DECLARE @t time(max);
GO
--! error 102
DECLARE @v int;
UPDATE dbo.t SET @v = DEFAULT;
GO
--! error 156 line 2
SELECT STRING_AGG(a, 1) FROM dbo.t;
GO
--! error 8116
DECLARE c CURSOR FOR SELECT a FROM dbo.t FOR UPDATE;
OPEN c;
DELETE dbo.t OUTPUT q.a FROM dbo.t AS p WHERE CURRENT OF c;
GO
--! error 4104 line 3
-- Words that the grammar's own terminals are called: names like any other.
CREATE TABLE dbo.money (money int, integer int, numeric int, real int, string int, binary int, variable int, star int, plus int, lpar int);
INSERT dbo.money VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
SELECT money, integer, numeric, real, string, binary, variable, star, plus, lpar, binary.binary FROM dbo.money AS binary WHERE binary = 6;
GO
--! rows
--! 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 6
SELECT TOP (-1) money FROM dbo.money;
GO
--! error 127
DECLARE @n int = -1;
SELECT TOP (@n) money FROM dbo.money;
GO
--! error 127 line 2
SELECT GROUPING_ID() FROM dbo.money;
GO
--! error 174
SELECT m..value('.', 'int') FROM dbo.money AS m;
GO
--! error 102
CREATE PROCEDURE dbo.p @x int AS SELECT @x;
GO
DECLARE @rows TABLE (a int);
EXEC dbo.p @rows;
GO
--! error 206 line 0
DECLARE @x xml = N'<a/>';
DELETE TOP (@x) FROM dbo.money;
GO
--! error 1060 line 2
EXEC sp_readerrorlog 'this one';
GO
--! error 8114
EXEC sp_dropmessage SUM;
GO
--! error 8114
EXEC sp_addmessage 'x', 16, N'text';
GO
--! error 8114
EXEC sp_who2 'x';
EXEC sp_configure 'clr enabled', 'x';
EXEC sp_getapplock 'r', 'Exclusive', 'Session', 'soon';
GO
--! error 15007
--! error 8114
--! error 8114
CREATE SEQUENCE dbo.Still INCREMENT BY - 0.0;
GO
--! error 11700
CREATE SEQUENCE dbo.Down START WITH - 5. INCREMENT BY - 2.0;
SELECT NEXT VALUE FOR dbo.Down, NEXT VALUE FOR dbo.Down;
SELECT NEXT VALUE FOR dbo.Down;
GO
--! rows
--! -5 | -5
--! rows
--! -7
CREATE CERTIFICATE Old ENCRYPTION BY PASSWORD = 'Passw0rd!x' WITH SUBJECT = 'old', START_DATE = '00:00:01';
GO
--! error 15297
CREATE TABLE dbo.Moved (a int);
GO
ALTER SCHEMA sys TRANSFER dbo.Moved;
GO
--! error 15151
