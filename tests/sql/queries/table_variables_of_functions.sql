-- Functions that take a table variable beside values of a query's rows.
CREATE TYPE dbo.Numbers AS TABLE (n int);
GO
CREATE FUNCTION dbo.Above (@t dbo.Numbers READONLY, @min int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM @t WHERE n > @min) END;
GO
CREATE FUNCTION dbo.Listed (@t dbo.Numbers READONLY, @min int) RETURNS @r TABLE (n int) AS BEGIN INSERT @r SELECT n FROM @t WHERE n > @min; RETURN END;
GO
CREATE FUNCTION dbo.Inline (@t dbo.Numbers READONLY, @min int) RETURNS TABLE AS RETURN SELECT n, dbo.Above(@t, n) AS higher FROM @t WHERE n > @min;
GO
CREATE TABLE dbo.T (a int);
INSERT dbo.T VALUES (1), (3), (5);
DECLARE @n dbo.Numbers;
DECLARE @m dbo.Numbers;
INSERT @n VALUES (2), (4), (6);
INSERT @m VALUES (3);
SELECT a, dbo.Above(@n, a), dbo.Above(@m, a) FROM dbo.T WHERE dbo.Above(@n, a) > 1 ORDER BY dbo.Above(@m, a), a DESC;
SELECT a, x.n FROM dbo.T CROSS APPLY dbo.Listed(@n, a) AS x ORDER BY 1, 2;
SELECT a, x.n FROM dbo.T OUTER APPLY dbo.Listed(@m, a) AS x ORDER BY 1, 2;
SELECT a, x.n, x.higher FROM dbo.T CROSS APPLY dbo.Inline(@n, a) AS x WHERE a > 2 ORDER BY 1, 2;
UPDATE dbo.T SET a = dbo.Above(@n, a) OUTPUT inserted.a;
GO
--! rows
--! 3 | 2 | 0
--! 1 | 3 | 1
--! rows
--! 1 | 2
--! 1 | 4
--! 1 | 6
--! 3 | 4
--! 3 | 6
--! 5 | 6
--! rows
--! 1 | 3
--! 3 | NULL
--! 5 | NULL
--! rows
--! 3 | 4 | 1
--! 3 | 6 | 0
--! 5 | 6 | 0
--! rows unordered
--! 3
--! 2
--! 1
CREATE PROCEDURE dbo.P @x dbo.Numbers READONLY AS SELECT SUM(dbo.Above(@x, t.a)) FROM dbo.T AS t;
GO
DECLARE @n dbo.Numbers;
INSERT @n VALUES (1), (2), (3);
EXEC dbo.P @n;
GO
--! rows
--! 3
