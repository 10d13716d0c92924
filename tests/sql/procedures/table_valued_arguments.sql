-- Table-valued parameters of functions and of sp_executesql.
CREATE TYPE dbo.Numbers AS TABLE (N int PRIMARY KEY, T varchar(10));
CREATE TABLE dbo.Base (N int);
INSERT dbo.Base VALUES (1), (2), (5);
GO
CREATE FUNCTION dbo.Total (@t dbo.Numbers READONLY, @times int) RETURNS int AS BEGIN RETURN (SELECT SUM(N) FROM @t) * @times; END
GO
CREATE FUNCTION dbo.Joined (@t dbo.Numbers READONLY, @more int) RETURNS TABLE AS
RETURN SELECT t.N + @more AS N, t.T FROM @t AS t JOIN dbo.Base AS b ON b.N = t.N
GO
CREATE FUNCTION dbo.Copied (@t dbo.Numbers READONLY) RETURNS @r TABLE (N int) AS BEGIN INSERT @r SELECT N * 10 FROM @t; RETURN; END
GO
DECLARE @x dbo.Numbers;
INSERT @x VALUES (1, 'one'), (2, 'two'), (3, 'three');
SELECT dbo.Total(@x, 2);
SELECT * FROM dbo.Joined(@x, 100) ORDER BY N;
SELECT * FROM dbo.Copied(@x) ORDER BY N;
DECLARE @y dbo.Numbers, @n int;
SELECT * FROM dbo.Joined(@y, 1);
SET @n = dbo.Total(@x, 1);
SELECT @n;
EXEC sp_executesql N'SELECT @n = COUNT(*) FROM @p WHERE N > @low; SELECT T FROM @p ORDER BY N;',
    N'@p dbo.Numbers READONLY, @low int, @n int OUTPUT', @p = @x, @low = 1, @n = @n OUTPUT;
SELECT @n;
GO
--! rows
--! 12
--! rows
--! 101 | one
--! 102 | two
--! rows
--! 10
--! 20
--! 30
--! rows
--! rows
--! 6
--! rows
--! one
--! two
--! three
--! rows
--! 2
DECLARE @x dbo.Numbers;
EXEC sp_executesql N'SELECT 1', N'@p int', @p = @x;
GO
--! error 206
DECLARE @x dbo.Numbers;
EXEC sp_executesql N'DELETE @p', N'@p dbo.Numbers READONLY', @p = @x;
GO
--! error 10700
DECLARE @x dbo.Numbers;
EXEC sp_executesql N'SELECT 1', N'@p dbo.Numbers', @p = @x;
GO
--! error 352
CREATE FUNCTION dbo.CountPlus (@x dbo.Numbers READONLY, @n int) RETURNS int AS
BEGIN
    RETURN (SELECT COUNT(*) FROM @x) + @n;
END
GO
CREATE TABLE dbo.Two (i int NOT NULL);
INSERT dbo.Two VALUES (1), (2);
GO
DECLARE @x dbo.Numbers;
SELECT dbo.CountPlus(@x, 1) FROM dbo.Two;
GO
--! rows
--! 1
--! 1
DECLARE @x dbo.Numbers;
SELECT dbo.CountPlus(@x, i) FROM dbo.Two ORDER BY i;
GO
--! rows
--! 1
--! 2
