-- WINDOW: named windows for OVER, which may begin with one another.
CREATE TABLE sales (id int, region char(1), amount int);
INSERT sales VALUES (1, 'a', 10), (2, 'a', 20), (3, 'b', 5), (4, 'b', 7), (5, 'b', 9);
SELECT id, SUM(amount) OVER by_region AS total, ROW_NUMBER() OVER in_order AS place,
    SUM(amount) OVER (in_order ROWS UNBOUNDED PRECEDING) AS running, COUNT(*) OVER () AS n
FROM sales
WINDOW by_region AS (PARTITION BY region), in_order AS (by_region ORDER BY amount DESC)
ORDER BY id;
GO
--! rows
--! 1 | 30 | 2 | 30 | 5
--! 2 | 30 | 1 | 20 | 5
--! 3 | 21 | 3 | 21 | 5
--! 4 | 21 | 2 | 16 | 5
--! 5 | 21 | 1 | 9 | 5
-- The clause stands after HAVING; its windows may use the groups.
SELECT region, SUM(amount) AS total, RANK() OVER w AS place FROM sales GROUP BY region HAVING COUNT(*) > 1
WINDOW w AS (ORDER BY SUM(amount) DESC) ORDER BY region;
GO
--! rows
--! a | 30 | 1
--! b | 21 | 2
-- WINDOW is no reserved word: it may name a table.
SELECT window.id FROM sales window WHERE window.id = 1;
GO
--! rows
--! 1
SELECT SUM(amount) OVER missing FROM sales;
GO
--! error 5362
SELECT SUM(amount) OVER w FROM sales WINDOW w AS (ORDER BY id), W AS (ORDER BY id);
GO
--! error 5363
SELECT SUM(amount) OVER (w ORDER BY id) FROM sales WINDOW w AS (ORDER BY id);
GO
--! error 5364
SELECT SUM(amount) OVER one FROM sales WINDOW one AS (two), two AS (one);
GO
--! error 5365
-- A written constant orders no window (5309, 5308 for an integer); a variable, a function without columns and (SELECT NULL) may stand there.
SELECT ROW_NUMBER() OVER (ORDER BY 'x' + 'y') FROM (VALUES (1)) AS t (a);
GO
--! error 5309
SELECT SUM(a) OVER (ORDER BY NULL) FROM (VALUES (1)) AS t (a);
GO
--! error 5309
SELECT RANK() OVER (PARTITION BY a ORDER BY 0x01) FROM (VALUES (1)) AS t (a);
GO
--! error 5309
SELECT RANK() OVER (ORDER BY 1) FROM (VALUES (1)) AS t (a);
GO
--! error 5308
DECLARE @v int = 1;
SELECT ROW_NUMBER() OVER (ORDER BY (SELECT NULL)), ROW_NUMBER() OVER (ORDER BY @v), ROW_NUMBER() OVER (ORDER BY GETDATE()) FROM (VALUES (1)) AS t (a);
GO
--! rows
--! 1 | 1 | 1
