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
