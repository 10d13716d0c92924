-- What a function may do: write its own table variables, read by cursors, EXECUTE other functions, and be called
-- with columns.
CREATE TABLE t (a int PRIMARY KEY, b int)
INSERT t VALUES (1, 1), (2, 2);
GO
CREATE PROC p @a int AS SELECT @a AS a
GO
EXEC p 1 WITH RESULT SETS ((x varchar(3)))
GO
--! rows
--! 1
CREATE FUNCTION f (@n int) RETURNS int AS BEGIN DECLARE @t TABLE (a int); INSERT @t SELECT a FROM t; UPDATE x SET a
    = a + 1 FROM @t AS x; DELETE @t WHERE a = 2; RETURN (SELECT SUM(a) FROM @t) + @n END
GO
SELECT dbo.f(10), dbo.f(b) FROM t
GO
--! rows unordered
--! 13 | 4
--! 13 | 5
CREATE FUNCTION g (@n int) RETURNS @r TABLE (v int) AS BEGIN DECLARE c CURSOR FOR SELECT a FROM t; DECLARE @v int;
    OPEN c; FETCH NEXT FROM c INTO @v; WHILE @@FETCH_STATUS = 0 BEGIN INSERT @r VALUES (@v * @n); FETCH NEXT FROM c
    INTO @v; END; CLOSE c; DEALLOCATE c; RETURN END
GO
SELECT * FROM dbo.g(3)
GO
--! rows unordered
--! 3
--! 6
CREATE FUNCTION h () RETURNS int AS BEGIN DECLARE @r int; EXEC @r = dbo.f 1; RETURN @r END
GO
SELECT dbo.h()
GO
--! rows
--! 4
CREATE FUNCTION d () RETURNS datetime AS BEGIN RETURN GETDATE() END
GO
SELECT dbo.d()
GO
--! rows
--! 2026-01-01 00:00:00.000
