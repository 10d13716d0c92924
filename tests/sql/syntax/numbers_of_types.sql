-- How many numbers a type takes: more are 2716 where something is declared, 291 in CAST and its like.
SELECT CAST(1 AS int(2));
GO
--! error 291 line 2
SELECT CONVERT(datetime(3), '20200101');
GO
--! error 291 line 1
SELECT TRY_CAST('20200101' AS date(3));
GO
--! error 291 line 1
SELECT TRY_CONVERT(bit(1), 1);
GO
--! error 291 line 1
SELECT PARSE('1' AS money(3));
GO
--! error 291 line 1
SELECT CAST('a' AS varchar(3, 2));
GO
--! error 291 line 1
SELECT CAST('a' AS nvarchar(max, 2));
GO
--! error 291 line 1
SELECT CAST('a' AS float(3, 2)), name FROM sys.objects;
GO
--! error 291 line 1
SELECT CAST('a' AS uniqueidentifier(16));
GO
--! error 291 line 1
DECLARE @x varchar(3, 2);
GO
--! error 2716 line 1
DECLARE @x datetime2(3, 2);
GO
--! error 2716 line 1
DECLARE @x float(3, 2);
GO
--! error 2716 line 1
DECLARE @x xml(3);
GO
--! error 2716 line 1
CREATE TABLE #t (a int, b char(3, 2));
GO
--! error 2716 line 1
CREATE PROCEDURE p @a varbinary(3, 2) AS RETURN;
GO
--! error 2716 line 1
CREATE TYPE dbo.short FROM nchar(3, 2);
GO
--! error 2716 line 1
CREATE FUNCTION f () RETURNS time(3, 2) AS BEGIN RETURN NULL; END;
GO
--! error 2716 line 1
SELECT CAST('1.25' AS decimal(5, 2)), CAST('1.25' AS float(3)), CAST('abc' AS varchar(2)), CAST('12:00' AS time(0));
GO
--! rows
--! 1.25 | 1.25 | ab | 12:00:00
