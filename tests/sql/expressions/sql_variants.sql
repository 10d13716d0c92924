-- sql_variant in comparisons, IN, ANY and ALL: by the family of the types first, then by value (page "sql_variant").
DECLARE @v sql_variant = 5, @n sql_variant, @text sql_variant = N'abc'
SELECT IIF(@v IN (1, 5), 1, 0), IIF(@v = CAST(5 AS bigint), 1, 0), IIF(@text = CAST('ABC' AS varchar(5)), 1, 0), IIF(CAST(1e0 AS sql_variant) > CAST(1000 AS sql_variant), 1, 0),
       IIF(CAST('20240101' AS sql_variant) < CAST(CAST('19000101' AS date) AS sql_variant), 1, 0), IIF(CAST('5' AS sql_variant) = @v, 1, 0)
CREATE TABLE t (v sql_variant)
INSERT t VALUES (1), (CAST(5 AS decimal(5, 2))), (N'Abc'), (NULL)
SELECT IIF(@v IN (SELECT v FROM t), 1, 0), IIF(@text IN (SELECT v FROM t), 1, 0), IIF(@v > ALL (SELECT v FROM t WHERE v < CAST(3 AS sql_variant)), 1, 0),
       CASE WHEN @v NOT IN (SELECT v FROM t) THEN 1 WHEN NOT @v NOT IN (SELECT v FROM t) THEN 0 END,
       CASE WHEN 7 NOT IN (SELECT v FROM t) THEN 1 WHEN NOT 7 NOT IN (SELECT v FROM t) THEN 0 END,
       CASE WHEN @v = ANY (SELECT v FROM t WHERE v = 100) THEN 1 ELSE 0 END, CASE WHEN @n = ALL (SELECT v FROM t WHERE v = 100) THEN 1 ELSE 0 END
GO
--! rows
--! 1 | 1 | 1 | 1 | 1 | 0
--! rows
--! 1 | 1 | 1 | 0 | NULL | 0 | 1
-- DISTINCT, GROUP BY, ORDER BY, MIN and MAX find equal what = finds equal, and sort families of types before values
CREATE TABLE mixed (n int, v sql_variant)
INSERT mixed VALUES (1, 1), (2, CAST(1 AS bigint)), (3, CAST(1.00 AS decimal(5, 2))), (4, 1e0), (5, 'a'), (6, N'A '), (7, 0x41), (8, CAST('20240101' AS date)), (9, -2.5), (10, -2), (11, NULL)
SELECT n FROM mixed WHERE n NOT IN (2, 3, 6) ORDER BY v
SELECT COUNT(DISTINCT v) FROM mixed
SELECT COUNT(*) FROM (SELECT DISTINCT v FROM mixed) AS d
SELECT MIN(n), COUNT(*) FROM mixed GROUP BY v HAVING COUNT(*) > 1 ORDER BY 1
SELECT MIN(v), MAX(v) FROM mixed
GO
--! rows
--! 11
--! 7
--! 5
--! 9
--! 10
--! 1
--! 4
--! 8
--! rows
--! 7
--! rows
--! 8
--! rows
--! 1 | 3
--! 5 | 2
--! rows
--! 0x41 | 2024-01-01
