-- TOP counts rows of an outer join, also when the other side is empty for all that the WHERE clause lets through.
CREATE TABLE a (x int, d int);
CREATE TABLE b (x int, d int, y int);
INSERT INTO a VALUES (1, 5), (2, 5), (3, 5);
GO
SELECT TOP (1) a.d FROM a LEFT JOIN b ON a.x = b.x AND a.d = b.d WHERE a.d = 5;
SELECT TOP (2) a.d FROM b RIGHT JOIN a ON a.x = b.x AND a.d = b.d WHERE a.d = 5 AND b.y IS NULL;
SELECT COUNT(*) FROM (SELECT TOP (1) a.d FROM a LEFT JOIN b ON a.x = b.x AND a.d = b.d WHERE a.d = 5) AS t;
GO
--! rows
--! 5
--! rows
--! 5
--! 5
--! rows
--! 1
DECLARE @x int = (SELECT TOP 1 a.d FROM a LEFT JOIN b ON a.d = b.d WHERE a.d = 5);
PRINT @x;
GO
--! print 5
-- Under APPLY, of rows that belong to each row of c, and of the same rows for all of them.
CREATE TABLE c (x int);
INSERT INTO c VALUES (1), (2), (NULL), (9);
GO
SELECT c.x, q.d FROM c CROSS APPLY (SELECT TOP (2) a.d FROM a LEFT JOIN b ON a.x = b.x AND a.d = b.d WHERE a.d = 5 AND a.x >= c.x ORDER BY a.x) AS q ORDER BY c.x;
SELECT c.x, q.d FROM c OUTER APPLY (SELECT TOP (1) a.d FROM a LEFT JOIN b ON a.x = b.x AND a.d = b.d WHERE a.d = 5) AS q ORDER BY c.x;
GO
--! rows
--! 1 | 5
--! 1 | 5
--! 2 | 5
--! 2 | 5
--! rows
--! NULL | 5
--! 1 | 5
--! 2 | 5
--! 9 | 5
