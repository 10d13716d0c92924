-- Functions that DuckDB does not have, in every part of OVER (documentation page "SELECT - OVER clause": expressions are allowed in both lists).
CREATE TABLE dbo.Sale (id int PRIMARY KEY, d datetime, region nvarchar(20), price decimal(9, 2), j nvarchar(100));
INSERT dbo.Sale VALUES (1, '20250115', N'North-1', 10, N'{"k":"b"}'), (2, '20250220', N'North-2', 20, N'{"k":"a"}'), (3, '20260105', N'South-1', 30, N'{"k":"b"}'), (4, NULL, NULL, NULL, NULL);
GO
SELECT id, ROW_NUMBER() OVER (PARTITION BY YEAR(d) ORDER BY CONVERT(varchar(7), d, 120) DESC), SUM(price) OVER (PARTITION BY LEFT(region, 5)),
    RANK() OVER (ORDER BY JSON_VALUE(j, '$.k'), DATEDIFF(day, '20250101', d)), COUNT(*) OVER (PARTITION BY CAST(price AS varchar(10)), UPPER(SUBSTRING(region, 1, 1)), LEN(region))
FROM dbo.Sale ORDER BY id;
GO
--! rows
--! 1 | 2 | 30.00 | 3 | 1
--! 2 | 1 | 30.00 | 2 | 1
--! 3 | 1 | 30.00 | 4 | 1
--! 4 | 1 | NULL | 1 | 1
-- A random order; the numbers are those of the rows all the same.
SELECT COUNT(DISTINCT n), MIN(n), MAX(n) FROM (SELECT ROW_NUMBER() OVER (ORDER BY NEWID()) AS n FROM dbo.Sale) AS q;
SELECT COUNT(DISTINCT n) FROM (SELECT NTILE(2) OVER (ORDER BY CHECKSUM(NEWID()), (SELECT NEWID())) AS n FROM dbo.Sale) AS q;
SELECT YEAR(d), COUNT(*), ROW_NUMBER() OVER (PARTITION BY COUNT(*) ORDER BY NEWID()) - ROW_NUMBER() OVER (PARTITION BY COUNT(*) ORDER BY NEWID()) * 0 FROM dbo.Sale WHERE id = 3 GROUP BY YEAR(d);
GO
--! rows
--! 4 | 1 | 4
--! rows
--! 2
--! rows
--! 2026 | 1 | 1
-- NEWID() has a new value for each row and each place; a function of a constant is computed once, and its error is one only where a row needs it.
SELECT COUNT(DISTINCT a), COUNT(DISTINCT b), SUM(CASE WHEN a = b THEN 1 ELSE 0 END) FROM (SELECT NEWID() AS a, NEWID() AS b FROM dbo.Sale) AS q;
SELECT id, CASE WHEN id < 0 THEN CAST('x' AS int) WHEN id < 0 THEN CAST(SQRT(-1) AS int) ELSE LEN(REVERSE('abc')) END FROM dbo.Sale WHERE id < 3 ORDER BY id;
SELECT id FROM dbo.Sale WHERE id < 0 AND SQRT(id) > 1;
SELECT COUNT(*) FROM dbo.Sale WHERE 1 = 0 AND LOG(0) = 1;
GO
--! rows
--! 4 | 4 | 0
--! rows
--! 1 | 3
--! 2 | 3
--! rows
--! rows
--! 0
SELECT id FROM dbo.Sale WHERE SQRT(-id) > 1;
GO
--! error 3623
