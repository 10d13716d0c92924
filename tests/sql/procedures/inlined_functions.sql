-- Scalar functions of one RETURN are translated into the query; what they give, and when they fail, stays the same.

CREATE TABLE dbo.Numbers (n int NULL, s varchar(10) NULL);
INSERT dbo.Numbers VALUES (1, 'one'), (4, 'four'), (NULL, NULL);
GO
CREATE FUNCTION dbo.Twice (@a int) RETURNS int AS BEGIN RETURN @a * 2 + 1 END;
GO
CREATE FUNCTION dbo.Cut (@s varchar(3), @n tinyint) RETURNS varchar(5) AS BEGIN RETURN @s + ':' + CAST(@n AS varchar(10)) END;
GO
CREATE FUNCTION dbo.Share (@a int) RETURNS int AS BEGIN RETURN CASE WHEN @a > 3 THEN @a / 0 ELSE @a END END;
GO
CREATE FUNCTION dbo.Shortened (@a int) RETURNS varchar(2) AS BEGIN RETURN 'a' + CAST(@a AS varchar(10)) + 'bcd' END;
GO

SELECT dbo.Twice(n), dbo.Twice(dbo.Twice(n) + 1) FROM dbo.Numbers ORDER BY n;
GO
--! rows
--! NULL | NULL
--! 3 | 9
--! 9 | 21

-- Arguments are cut to the types of the parameters, the result to that of the function.
SELECT dbo.Cut(s + 'xyz', n + 200), dbo.Shortened(n) FROM dbo.Numbers ORDER BY n;
GO
--! rows
--! NULL | NULL
--! one:2 | a1
--! fou:2 | a4

SELECT dbo.Cut(s, n + 255) FROM dbo.Numbers;
GO
--! error 220

-- Only the rows that get there fail.
SELECT dbo.Share(n) FROM dbo.Numbers WHERE n = 1;
SELECT dbo.Share(n) FROM dbo.Numbers WHERE n = 4;
GO
--! rows
--! 1
--! error 8134

SELECT dbo.Twice(n), COUNT(*) FROM dbo.Numbers GROUP BY dbo.Twice(n) HAVING dbo.Twice(n) > 3;
SELECT n FROM dbo.Numbers WHERE dbo.Twice(n) BETWEEN 2 AND 4;
SELECT SUM(dbo.Twice(n)) OVER (ORDER BY dbo.Twice(n) DESC) FROM dbo.Numbers WHERE n > 0;
GO
--! rows
--! 9 | 1
--! rows
--! 1
--! rows
--! 9
--! 12

-- What the function is made of is looked up anew when it changes.
ALTER FUNCTION dbo.Twice (@a int) RETURNS int AS BEGIN RETURN @a * 3 END;
GO
SELECT dbo.Twice(n) FROM dbo.Numbers WHERE n = 4;
GO
--! rows
--! 12

-- Whoever runs the query needs EXECUTE on the function, not only SELECT on the table.
CREATE USER Reader WITHOUT LOGIN;
GRANT SELECT ON dbo.Numbers TO Reader;
EXECUTE AS USER = 'Reader';
SELECT dbo.Twice(n) FROM dbo.Numbers WHERE n = 4;
REVERT;
GRANT EXECUTE ON dbo.Twice TO Reader;
EXECUTE AS USER = 'Reader';
SELECT dbo.Twice(n) FROM dbo.Numbers WHERE n = 4;
REVERT;
GO
--! error 229
--! rows
--! 12
