-- SELECT over tables: names, comparison by collation, joins, grouping, TOP, set operations.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE dbo.Fruit (Id int NOT NULL PRIMARY KEY, Name nvarchar(20) NULL, Qty int NULL, Price decimal(10,2) NULL);
CREATE TABLE dbo.Sale (Id int NOT NULL PRIMARY KEY, FruitId int NULL, Amount int NOT NULL);
INSERT INTO dbo.Fruit VALUES (1, N'apple', 5, 1.50), (2, N'Banana', NULL, 2.25), (3, N'APPLE ', 7, NULL), (4, NULL, 2, 3.10);
INSERT INTO dbo.Sale VALUES (10, 1, 3), (11, 1, 4), (12, 3, 1), (13, NULL, 9);
GO
-- Letter case and trailing blanks do not count under the default collation.
SELECT Id FROM dbo.Fruit WHERE Name = 'Apple' ORDER BY Id;
SELECT ID, name AS Label FROM Shop.dbo.FRUIT AS f WHERE f.NAME LIKE 'b%';
GO
--! rows
--! 1
--! 3
--! rows
--! columns ID | Label
--! 2 | Banana
-- NULL sorts first in ascending order.
SELECT Name FROM dbo.Fruit ORDER BY Name;
SELECT TOP (2) Id FROM dbo.Fruit ORDER BY Qty DESC;
SELECT TOP (1) WITH TIES Name FROM dbo.Fruit WHERE Name IS NOT NULL ORDER BY Name;
SELECT TOP 30 PERCENT Id FROM dbo.Fruit ORDER BY Id;
SELECT Id FROM dbo.Fruit ORDER BY Id OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY;
GO
--! rows
--! NULL
--! *
--! *
--! Banana
--! rows
--! 3
--! 1
--! rows unordered
--! apple
--! APPLE 
--! rows
--! 1
--! 2
--! rows
--! 2
--! 3
SELECT f.Id, s.Amount FROM dbo.Fruit AS f JOIN dbo.Sale AS s ON s.FruitId = f.Id ORDER BY s.Id;
SELECT f.Id, s.Id FROM dbo.Fruit f LEFT JOIN dbo.Sale s ON s.FruitId = f.Id WHERE s.Id IS NULL ORDER BY f.Id;
SELECT COUNT(*) FROM dbo.Fruit CROSS JOIN dbo.Sale;
SELECT f.Id, x.Amount FROM dbo.Fruit f OUTER APPLY (SELECT TOP 1 Amount FROM dbo.Sale WHERE FruitId = f.Id ORDER BY Id DESC) AS x ORDER BY f.Id;
SELECT f.Id, s.Id FROM dbo.Fruit f FULL JOIN dbo.Sale s ON s.FruitId = f.Id WHERE f.Id IS NULL;
GO
--! rows
--! 1 | 3
--! 1 | 4
--! 3 | 1
--! rows
--! 2 | NULL
--! 4 | NULL
--! rows
--! 16
--! rows
--! 1 | 4
--! 2 | NULL
--! 3 | 1
--! 4 | NULL
--! rows
--! NULL | 13
SELECT MIN(Id), COUNT(*), SUM(Qty) FROM dbo.Fruit GROUP BY Name ORDER BY MIN(Id);
SELECT FruitId, SUM(Amount) AS Total FROM dbo.Sale GROUP BY FruitId HAVING SUM(Amount) > 1 ORDER BY Total;
SELECT COUNT(*), COUNT(Qty), COUNT(DISTINCT Name), AVG(Qty), MAX(Price) FROM dbo.Fruit;
SELECT FruitId, SUM(Amount) FROM dbo.Sale WHERE FruitId IS NOT NULL GROUP BY ROLLUP (FruitId) ORDER BY GROUPING(FruitId), FruitId;
SELECT COUNT(*) FROM dbo.Fruit WHERE 1 = 0;
SELECT COUNT(*) FROM dbo.Fruit WHERE 1 = 0 GROUP BY Name;
GO
--! rows
--! 1 | 2 | 12
--! 2 | 1 | NULL
--! 4 | 1 | 2
--! rows
--! 1 | 7
--! NULL | 9
--! rows
--! 4 | 3 | 2 | 4 | 3.10
--! rows
--! 1 | 7
--! 3 | 1
--! NULL | 8
--! rows
--! 0
--! rows
SELECT Name FROM dbo.Fruit WHERE Id < 3 UNION SELECT 'APPLE' ORDER BY Name DESC;
SELECT Id FROM dbo.Fruit EXCEPT SELECT FruitId FROM dbo.Sale ORDER BY Id;
SELECT Id FROM dbo.Fruit INTERSECT SELECT FruitId FROM dbo.Sale ORDER BY Id;
SELECT 1 AS n UNION ALL SELECT 2.5 ORDER BY n;
SELECT DISTINCT UPPER(RTRIM(Name)) AS n FROM dbo.Fruit ORDER BY n;
GO
--! rows
--! Banana
--! *
--! rows
--! 2
--! 4
--! rows
--! 1
--! 3
--! rows
--! 1.0
--! 2.5
--! rows
--! NULL
--! APPLE
--! BANANA
SELECT Id FROM dbo.Fruit f WHERE EXISTS (SELECT * FROM dbo.Sale s WHERE s.FruitId = f.Id) ORDER BY Id;
SELECT Id, (SELECT SUM(Amount) FROM dbo.Sale WHERE FruitId = f.Id) AS Sold FROM dbo.Fruit AS f ORDER BY Id;
SELECT Id FROM dbo.Fruit WHERE Id NOT IN (SELECT FruitId FROM dbo.Sale);
SELECT Id FROM dbo.Fruit WHERE Price >= ALL (SELECT Price FROM dbo.Fruit WHERE Price IS NOT NULL);
SELECT d.n FROM (SELECT Id * 10 FROM dbo.Fruit WHERE Qty BETWEEN 2 AND 5) AS d (n) ORDER BY d.n;
SELECT v.a, v.b FROM (VALUES (1, 'x'), (2, NULL)) AS v (a, b);
GO
--! rows
--! 1
--! 3
--! rows
--! 1 | 7
--! 2 | NULL
--! 3 | 1
--! 4 | NULL
--! rows
--! rows
--! 4
--! rows
--! 10
--! 40
--! rows
--! 1 | x
--! 2 | NULL
WITH Big AS (SELECT Id, Qty FROM dbo.Fruit WHERE Qty > 2), Bigger (K) AS (SELECT Id FROM Big WHERE Qty > 5)
SELECT b.Id FROM Big AS b WHERE b.Id NOT IN (SELECT K FROM Bigger);
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i FROM n ORDER BY i;
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n;
GO
--! rows
--! 1
--! rows
--! 1
--! 2
--! 3
--! 4
--! error 530 line 4
SELECT Id, ROW_NUMBER() OVER (ORDER BY Qty DESC) AS rn, SUM(Qty) OVER (ORDER BY Id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s,
       LAG(Id, 1, 0) OVER (ORDER BY Id) AS l
FROM dbo.Fruit WHERE Qty IS NOT NULL ORDER BY Id;
SELECT FruitId, [1], [2] FROM (SELECT FruitId, Amount, 1 + Id % 2 AS side FROM dbo.Sale) AS s PIVOT (SUM(Amount) FOR side IN ([1], [2])) AS p
ORDER BY FruitId;
GO
--! rows
--! 1 | 2 | 5 | 0
--! 3 | 1 | 12 | 1
--! 4 | 3 | 14 | 3
--! rows
--! NULL | NULL | 9
--! 1 | 3 | 4
--! 3 | 1 | NULL
