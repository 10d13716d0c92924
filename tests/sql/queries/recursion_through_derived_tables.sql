-- What a recursive member may not have, a derived table in it may not have either that reads the expression.
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM (SELECT TOP 1 n FROM r WHERE n < 5) AS q) SELECT n FROM r;
GO
--! error 461
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM (SELECT n FROM r ORDER BY n OFFSET 0 ROWS) AS q WHERE n < 5) SELECT n FROM r;
GO
--! error 461
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM (SELECT MAX(n) AS n FROM r WHERE n < 5) AS q) SELECT n FROM r;
GO
--! error 467
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM (SELECT z.n FROM (SELECT n FROM r GROUP BY n) AS z) AS q WHERE n < 5) SELECT n FROM r;
GO
--! error 467
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM (SELECT DISTINCT n FROM r WHERE n < 5) AS q) SELECT n FROM r;
GO
--! error 460
WITH r AS (SELECT 1 AS n UNION ALL SELECT q.n + 1 FROM (SELECT r.n FROM (VALUES (1)) AS v (x) LEFT JOIN r ON 1 = 1) AS q WHERE n < 5) SELECT n FROM r;
GO
--! error 462
-- Those that do not read it may.
WITH r AS (SELECT 1 AS n UNION ALL SELECT r.n + 1 FROM r JOIN (SELECT MAX(x) AS m FROM (VALUES (3), (4)) AS v (x)) AS q ON r.n < q.m) SELECT n FROM r;
WITH r AS (SELECT 1 AS n UNION ALL SELECT q.n + 1 FROM (SELECT z.n FROM (SELECT n FROM r) AS z) AS q WHERE q.n < 3) SELECT n FROM r;
GO
--! rows
--! 1
--! 2
--! 3
--! 4
--! rows
--! 1
--! 2
--! 3
