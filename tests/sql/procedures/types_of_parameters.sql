-- A table-valued parameter takes a variable of its own table type only; a type stays while a parameter is of it.
CREATE DATABASE TypesOfParameters;
GO
USE TypesOfParameters;
CREATE TYPE dbo.Numbers AS TABLE (n int);
CREATE TYPE dbo.Others AS TABLE (n int);
CREATE TYPE dbo.Code FROM varchar(5);
GO
CREATE PROCEDURE dbo.Counts @rows dbo.Numbers READONLY AS SELECT COUNT(*) FROM @rows;
GO
CREATE FUNCTION dbo.Coded () RETURNS dbo.Code AS BEGIN RETURN 'a'; END;
GO
DECLARE @own dbo.Numbers; INSERT @own VALUES (1), (2);
EXEC dbo.Counts @own;
EXEC dbo.Counts @rows = @own;
EXEC dbo.Counts;
EXEC dbo.Counts DEFAULT;
EXEC sp_executesql N'EXEC dbo.Counts @r', N'@r dbo.Numbers READONLY', @own;
GO
--! rows
--! 2
--! rows
--! 2
--! rows
--! 0
--! rows
--! 0
--! rows
--! 2
DECLARE @plain TABLE (n int);
EXEC dbo.Counts @plain;
GO
--! error 206 line 0 text table
DECLARE @other dbo.Others;
EXEC dbo.Counts @other;
GO
--! error 206 line 0 text Others
DECLARE @other dbo.Others;
EXEC sp_executesql N'SELECT 1 FROM @r', N'@r dbo.Numbers READONLY', @other;
GO
--! error 206 line 0 text Numbers
EXEC dbo.Counts 1;
GO
--! error 206 line 0 text Numbers
DROP TYPE dbo.Numbers;
GO
--! error 3732 line 1 text Counts
DROP TYPE dbo.Code;
GO
--! error 3732 line 1 text Coded
DROP TYPE dbo.Others;
DROP PROCEDURE dbo.Counts;
DROP TYPE dbo.Numbers;
DROP FUNCTION dbo.Coded;
DROP TYPE dbo.Code;
GO
-- What a body declares keeps no type
CREATE TYPE dbo.Code FROM varchar(5);
GO
CREATE PROCEDURE dbo.Declares AS DECLARE @c dbo.Code; RETURN;
GO
DROP TYPE dbo.Code;
