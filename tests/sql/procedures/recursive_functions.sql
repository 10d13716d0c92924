-- Functions that call themselves from a query: what an article costs with its parts, and theirs.
CREATE TABLE parts (whole int, part int, qty int);
INSERT parts VALUES (1, 2, 2), (1, 3, 1), (2, 4, 5), (3, 4, 1);
GO
CREATE FUNCTION cost (@id int) RETURNS int AS BEGIN
    RETURN @id + ISNULL((SELECT SUM(dbo.cost(part) * qty) FROM parts WHERE whole = @id), 0);
END
GO
SELECT dbo.cost(1);
SELECT DISTINCT part, dbo.cost(part) FROM parts ORDER BY part;
GO
--! rows
--! 52
--! rows
--! 2 | 22
--! 3 | 7
--! 4 | 4
-- Twice in one expression, and by a row of another query that its own call decides.
CREATE FUNCTION steps (@n int) RETURNS int AS BEGIN
    IF @n <= 0 RETURN 1;
    RETURN dbo.steps(@n - 1) + (SELECT SUM(dbo.steps(n.v - 2)) FROM (VALUES (1), (2)) AS n (v));
END
GO
CREATE FUNCTION way (@id int) RETURNS varchar(100) AS BEGIN
    DECLARE @p varchar(100);
    SELECT TOP (1) @p = dbo.way(whole) + '/' + CAST(@id AS varchar(10)) FROM parts WHERE part = @id ORDER BY whole;
    RETURN ISNULL(@p, CAST(@id AS varchar(10)));
END
GO
SELECT dbo.steps(2), dbo.way(4), dbo.way(1);
SELECT DISTINCT dbo.way(part) AS w FROM parts ORDER BY w;
GO
--! rows
--! 5 | 1/2/4 | 1
--! rows
--! 1/2
--! 1/2/4
--! 1/3
-- One with a table, that calls itself for each of its rows.
CREATE FUNCTION tree (@id int, @depth int) RETURNS @t TABLE (id int, depth int) AS BEGIN
    INSERT @t VALUES (@id, @depth);
    INSERT @t SELECT x.id, x.depth FROM parts AS p CROSS APPLY dbo.tree(p.part, @depth + 1) AS x WHERE p.whole = @id;
    RETURN;
END
GO
SELECT depth, COUNT(*) FROM dbo.tree(1, 0) GROUP BY depth ORDER BY depth;
GO
--! rows
--! 0 | 1
--! 1 | 2
--! 2 | 2
-- Two that call each other.
CREATE FUNCTION even (@n int) RETURNS bit AS BEGIN RETURN 1 END
GO
CREATE FUNCTION odd (@n int) RETURNS bit AS BEGIN
    RETURN (SELECT CASE WHEN @n = 0 THEN 0 ELSE dbo.even(@n - 1) END FROM (SELECT 1 AS a) AS x);
END
GO
ALTER FUNCTION even (@n int) RETURNS bit AS BEGIN
    RETURN (SELECT CASE WHEN @n = 0 THEN 1 ELSE dbo.odd(@n - 1) END FROM (SELECT 1 AS a) AS x);
END
GO
SELECT dbo.even(6), dbo.odd(6);
GO
--! rows
--! 1 | 0
-- One that never ends.
CREATE FUNCTION more (@n int) RETURNS int AS BEGIN RETURN dbo.more(@n + 1) + (SELECT SUM(dbo.more(part)) FROM parts) END
GO
SELECT dbo.more(1);
GO
--! error 217
