-- ORDER BY behind a set operation names output columns: by alias, by position, or as the first branch selects them, qualifier included.
WITH f AS (SELECT v AS a, v * 10 AS b FROM (VALUES (2), (1)) AS t (v))
SELECT f.a, f.b AS other FROM f UNION SELECT f.b, f.a FROM f WHERE f.a = 2 ORDER BY F.[A] DESC;
GO
--! rows
--! 20 | 2
--! 2 | 20
--! 1 | 10
WITH f AS (SELECT v AS a, v * 10 AS b FROM (VALUES (2), (1)) AS t (v))
SELECT f.a, f.b AS other FROM f UNION ALL SELECT 3, 0 UNION ALL SELECT 4, 5 ORDER BY f.b;
GO
--! rows
--! 3 | 0
--! 4 | 5
--! 1 | 10
--! 2 | 20
-- What only a later branch has is no output column.
SELECT t.a FROM (VALUES (1)) AS t (a) UNION SELECT u.b FROM (VALUES (2)) AS u (b) ORDER BY u.b;
GO
--! error 207
-- An operand in parentheses may have its own ORDER BY, with TOP or OFFSET, where the operation is not the statement's own query.
SELECT a FROM ((SELECT TOP 1 a FROM (VALUES (2), (1)) AS t (a) ORDER BY a DESC) UNION (SELECT TOP 1 b FROM (VALUES (8), (9)) AS u (b) ORDER BY b)) AS x;
SELECT a FROM (SELECT 7 AS a UNION ALL (SELECT a FROM (VALUES (2), (1), (3)) AS t (a) ORDER BY a OFFSET 1 ROW FETCH NEXT 1 ROW ONLY) EXCEPT SELECT 7) AS x;
WITH c AS ((SELECT TOP 1 WITH TIES a FROM (VALUES (2), (1), (2)) AS t (a) ORDER BY a DESC) UNION ALL SELECT 5) SELECT a FROM c ORDER BY a;
SELECT o.a FROM (VALUES (1), (4), (9)) AS o (a) WHERE o.a IN ((SELECT TOP 1 n FROM (VALUES (3), (o.a + 1), (4)) AS t (n) ORDER BY n DESC) UNION ALL SELECT 9);
IF EXISTS ((SELECT TOP 1 a FROM (VALUES (2)) AS t (a) ORDER BY a) INTERSECT SELECT 2) SELECT 'yes';
GO
--! rows unordered
--! 2
--! 8
--! rows
--! 2
--! rows
--! 2
--! 2
--! 5
--! rows unordered
--! 9
--! rows
--! yes
SELECT a FROM ((SELECT a FROM (VALUES (2), (1)) AS t (a) ORDER BY a) UNION SELECT 3) AS x;
GO
--! error 1033
(SELECT TOP 1 a FROM (VALUES (2), (1)) AS t (a) ORDER BY a) UNION SELECT 3;
GO
--! error 156
SELECT 3 AS a UNION ALL (SELECT TOP 1 a FROM (VALUES (2), (1)) AS t (a) ORDER BY a) ORDER BY a;
GO
--! error 156
CREATE TABLE #set (a int);
INSERT #set (SELECT TOP 1 a FROM (VALUES (2), (1)) AS t (a) ORDER BY a) UNION SELECT 3;
GO
--! error 156
SELECT a FROM ((SELECT TOP 1 a FROM (VALUES (2), (1)) AS t (a) ORDER BY a) ORDER BY a) AS x;
GO
--! error 156
