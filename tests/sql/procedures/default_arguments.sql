-- DEFAULT stands for the argument of a user function, which cannot be left out.
CREATE FUNCTION dbo.plus (@a int, @b int = 10) RETURNS int AS BEGIN RETURN @a + @b END;
GO
CREATE FUNCTION dbo.numbers (@n int = 2) RETURNS TABLE AS RETURN SELECT value FROM GENERATE_SERIES(1, @n);
GO
CREATE FUNCTION dbo.kept (@n int = 3, @m int) RETURNS @r TABLE (x int) AS BEGIN INSERT @r VALUES (@n * @m) RETURN END;
GO
DECLARE @v int = dbo.plus(1, DEFAULT);
SELECT @v, dbo.plus(1, 2);
SELECT dbo.plus(value, DEFAULT) FROM dbo.numbers(DEFAULT);
SELECT x FROM dbo.kept(DEFAULT, 5);
GO
--! rows
--! 11 | 3
--! rows
--! 11
--! 12
--! rows
--! 15
SELECT dbo.plus(DEFAULT, 1);
GO
--! error 313
SELECT dbo.plus(1);
GO
--! error 313
SELECT LEN(DEFAULT);
GO
--! error 156
