-- What queries refuse, with SQL Server's numbers: recursive members, windows, TOP, ORDER BY, INTO.
CREATE TABLE dbo.T (a int, b varchar(10));
INSERT dbo.T VALUES (1, 'x'), (2, 'y'), (3, NULL);
GO
WITH r AS (SELECT 1 AS n UNION ALL SELECT DISTINCT n + 1 FROM r WHERE n < 3) SELECT * FROM r;
GO
--! error 460 text recursive
WITH r AS (SELECT 1 AS n UNION ALL SELECT TOP (1) n + 1 FROM r WHERE n < 3) SELECT * FROM r;
GO
--! error 461 text recursive
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM dbo.T LEFT JOIN r ON r.n = a) SELECT * FROM r;
GO
--! error 462
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r OUTER APPLY (SELECT 1 AS x) AS y WHERE n < 3) SELECT * FROM r;
GO
--! error 462
WITH r AS (SELECT 1 AS n UNION ALL SELECT a FROM dbo.T WHERE a IN (SELECT n + 1 FROM r)) SELECT * FROM r;
GO
--! error 465
WITH r AS (SELECT 1 AS n UNION ALL SELECT MAX(n) + 1 FROM r) SELECT * FROM r;
GO
--! error 467
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r GROUP BY n) SELECT * FROM r;
GO
--! error 467
WITH r AS (SELECT n + 1 AS n FROM r UNION ALL SELECT n FROM r) SELECT * FROM r;
GO
--! error 246
WITH r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3 UNION ALL SELECT 5) SELECT * FROM r;
GO
--! error 247
WITH r AS (SELECT CAST('a' AS varchar(5)) AS n UNION ALL SELECT n + 'b' FROM r WHERE LEN(n) < 3) SELECT * FROM r;
GO
--! error 240
WITH r AS (SELECT 1.0 AS n UNION ALL SELECT n + 1.5 FROM r WHERE n < 3) SELECT * FROM r;
GO
--! error 240
WITH r AS (SELECT CAST('a' AS varchar(5)) AS n UNION ALL SELECT CAST(n + 'b' AS varchar(5)) FROM r WHERE LEN(n) < 3) SELECT n FROM r;
GO
--! rows
--! a
--! ab
--! abb
WITH r AS (SELECT 1 AS n), r AS (SELECT 2 AS n) SELECT * FROM r;
GO
--! error 239
WITH r AS (SELECT 1 AS n) SELECT * FROM r OPTION (MAXRECURSION 32768);
GO
--! error 310
WITH r AS (SELECT 1 AS n INTO dbo.New) SELECT * FROM r;
GO
--! error 156
SELECT a FROM dbo.T WHERE EXISTS (SELECT 1 AS x INTO dbo.New);
GO
--! error 156
SELECT a FROM dbo.T UNION ALL SELECT a INTO dbo.New FROM dbo.T;
GO
--! error 196
-- INTO of a set operation stands in its first SELECT
SELECT a, b INTO #u FROM dbo.T WHERE a = 1 UNION ALL SELECT 7, 'seven' EXCEPT SELECT 2, 'y' ORDER BY a DESC;
SELECT a, b FROM #u ORDER BY a;
GO
--! rows
--! 1 | x
--! 7 | seven
-- windows
SELECT SUM(ROW_NUMBER() OVER (ORDER BY a)) FROM dbo.T;
GO
--! error 4109
SELECT RANK() OVER (ORDER BY SUM(a) OVER ()) FROM dbo.T;
GO
--! error 4109
SELECT SUM(a) OVER (PARTITION BY COUNT(*) OVER ()) FROM dbo.T;
GO
--! error 4109
-- ORDER BY and TOP
SELECT a FROM dbo.T ORDER BY a, b, a;
GO
--! error 169
SELECT a FROM dbo.T ORDER BY 1, a DESC;
GO
--! error 169
DECLARE @v int = 1;
SELECT a FROM dbo.T ORDER BY @v;
GO
--! error 1008
SELECT TOP (NULL) a FROM dbo.T;
GO
--! error 1060
SELECT TOP (1.5) a FROM dbo.T;
GO
--! error 1060
DECLARE @n int;
SELECT TOP (@n) a FROM dbo.T;
GO
--! error 1060
SELECT TOP (50.5) PERCENT a FROM dbo.T ORDER BY a;
GO
--! rows
--! 1
--! 2
SELECT a FROM dbo.T ORDER BY a OFFSET 'x' ROWS;
GO
--! error 10743
SELECT a FROM dbo.T ORDER BY a OFFSET 1 ROWS FETCH NEXT 1.5 ROWS ONLY;
GO
--! error 10745
