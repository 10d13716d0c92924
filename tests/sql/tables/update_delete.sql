-- UPDATE and DELETE: SET of columns and variables, FROM, aliases, TOP, OUTPUT, CTEs over other tables.
CREATE TABLE dbo.Stock (Id int PRIMARY KEY, Name varchar(20), Qty int NOT NULL, Note varchar(20));
CREATE TABLE dbo.Delta (StockId int, Change int);
INSERT dbo.Stock VALUES (1, 'a', 10, NULL), (2, 'b', 20, NULL), (3, 'c', 30, NULL);
INSERT dbo.Delta VALUES (1, 5), (3, -5);
GO
UPDATE dbo.Stock SET Qty += 1, Name = UPPER(Name) WHERE Id >= 2;
SELECT @@ROWCOUNT;
SELECT Id, Name, Qty FROM dbo.Stock ORDER BY Id;
GO
--! rows
--! 2
--! rows
--! 1 | a | 10
--! 2 | B | 21
--! 3 | C | 31
UPDATE s SET Qty = s.Qty + d.Change, Note = 'joined'
FROM dbo.Stock AS s JOIN dbo.Delta AS d ON d.StockId = s.Id;
SELECT Id, Qty, Note FROM dbo.Stock ORDER BY Id;
GO
--! rows
--! 1 | 15 | joined
--! 2 | 21 | NULL
--! 3 | 26 | joined
-- SET sees the row as it was before the statement.
UPDATE dbo.Stock SET Qty = Id, Note = CAST(Qty AS varchar(10)) WHERE Id = 2;
SELECT Qty, Note FROM dbo.Stock WHERE Id = 2;
GO
--! rows
--! 2 | 21
DECLARE @before int, @after int;
UPDATE dbo.Stock SET @before = Qty, @after = Qty = Qty + 100 WHERE Id = 2;
SELECT @before, @after;
GO
--! rows
--! 2 | 102
-- A variable that SET assigns and reads goes from row to row.
DECLARE @n int = 0;
UPDATE dbo.Stock SET @n = Qty = @n + 1;
SELECT @n AS n, MIN(Qty) AS low, MAX(Qty) AS high, COUNT(DISTINCT Qty) AS different FROM dbo.Stock;
GO
--! rows
--! 3 | 1 | 3 | 3
UPDATE TOP (1) dbo.Stock SET Note = 'top' WHERE Note IS NULL OR Note <> 'top';
SELECT COUNT(*) FROM dbo.Stock WHERE Note = 'top';
GO
--! rows
--! 1
UPDATE dbo.Stock SET Qty = 1 WHERE Id = 1;
UPDATE dbo.Stock SET Qty = Qty * 10
OUTPUT deleted.Id, deleted.Qty AS old, inserted.Qty AS new, inserted.Qty - deleted.Qty
WHERE Id = 1;
GO
--! rows
--! 1 | 1 | 10 | 9
UPDATE dbo.Stock SET Name = DEFAULT WHERE Id = 1;
SELECT Name FROM dbo.Stock WHERE Id = 1;
GO
--! rows
--! NULL
UPDATE dbo.Stock SET Qty = NULL WHERE Id = 1;
GO
--! error 515
UPDATE dbo.Stock SET Name = 'x', Name = 'y';
GO
--! error 264
UPDATE dbo.Stock SET Nope = 1;
GO
--! error 207
UPDATE dbo.Stock SET Name = 'more than twenty letters';
GO
--! error 2628
-- Keys may be exchanged in one statement, and may not meet.
UPDATE dbo.Stock SET Id = 4 - Id;
SELECT COUNT(*) FROM dbo.Stock WHERE Id IN (1, 2, 3);
UPDATE dbo.Stock SET Id = 1 WHERE Id = 2;
GO
--! rows
--! 3
--! error 2627
DELETE FROM d OUTPUT deleted.StockId FROM dbo.Delta AS d JOIN dbo.Stock AS s ON s.Id = d.StockId WHERE s.Id = 3;
GO
--! rows
--! 3
WITH rest AS (SELECT StockId FROM dbo.Delta)
DELETE dbo.Stock WHERE Id IN (SELECT StockId FROM rest);
SELECT Id FROM dbo.Stock ORDER BY Id;
GO
--! rows
--! 2
--! 3
INSERT dbo.Stock VALUES (20, 'twin', 1, 'x'), (21, 'twin', 1, 'x');
WITH twins AS (SELECT Id, Name, ROW_NUMBER() OVER (PARTITION BY Name ORDER BY Id) AS n FROM dbo.Stock)
DELETE FROM twins WHERE n > 1;
WITH twins AS (SELECT Id, Qty, Note FROM dbo.Stock WHERE Name = 'twin')
UPDATE twins SET Note = CAST(Id AS varchar(10)) + 'y';
SELECT Id, Note FROM dbo.Stock WHERE Name = 'twin';
DELETE dbo.Stock WHERE Name = 'twin';
GO
--! rows
--! 20 | 20y
DELETE TOP (1) FROM dbo.Stock;
SELECT @@ROWCOUNT, COUNT(*) FROM dbo.Stock;
DELETE dbo.Stock WHERE Id = 77;
SELECT @@ROWCOUNT;
GO
--! rows
--! 1 | 1
--! rows
--! 0
CREATE TABLE dbo.Counter (Next int IDENTITY, V rowversion, C AS Next + 1);
INSERT dbo.Counter DEFAULT VALUES;
GO
UPDATE dbo.Counter SET Next = 5;
GO
--! error 8102
UPDATE dbo.Counter SET V = 0x01;
GO
--! error 272
UPDATE dbo.Counter SET C = 5;
GO
--! error 271
