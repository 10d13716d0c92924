-- What a write may go through: views of views, joins, derived tables, TOP, MERGE into views, WITH CHECK OPTION everywhere.
CREATE TABLE dbo.Item (Id int PRIMARY KEY, Amount int, Kind char(1) DEFAULT 'k');
CREATE TABLE dbo.Price (Item int PRIMARY KEY, Price int);
INSERT dbo.Item VALUES (1, 10, 'a'), (2, 20, 'a'), (3, 30, 'b');
INSERT dbo.Price VALUES (1, 100), (2, 200);
GO
CREATE VIEW dbo.A AS SELECT Id AS Number, Amount AS Quantity, Kind FROM dbo.Item WHERE Kind = 'a';
GO
CREATE VIEW dbo.OverA (N, Q, Twice) AS SELECT Number, Quantity, Quantity * 2 FROM dbo.A;
GO
CREATE VIEW dbo.Checked AS SELECT i.Id, i.Amount, i.Kind, p.Price FROM dbo.Item AS i JOIN dbo.Price AS p ON p.Item = i.Id
    WHERE i.Amount < (SELECT MAX(Price) FROM dbo.Price) WITH CHECK OPTION;
GO
CREATE VIEW dbo.FirstTwo AS SELECT TOP (2) Id, Amount FROM dbo.Item ORDER BY Id DESC;
GO
CREATE VIEW dbo.FirstChecked AS SELECT TOP (2) Id, Amount FROM dbo.Item ORDER BY Id DESC WITH CHECK OPTION;
GO
CREATE VIEW dbo.Counted AS SELECT Kind, COUNT(*) AS n FROM dbo.Item GROUP BY Kind;
GO
CREATE VIEW dbo.Kinds AS SELECT DISTINCT Kind FROM dbo.Item;
GO
CREATE VIEW dbo.Both AS SELECT Id FROM dbo.Item UNION ALL SELECT Item FROM dbo.Price;
GO
CREATE VIEW dbo.Named AS WITH c AS (SELECT Id, Amount FROM dbo.Item) SELECT Id AS I, Amount AS A FROM c;
GO
-- MERGE into a view (over a view): names are the view's, also in OUTPUT
MERGE dbo.OverA AS t USING (VALUES (1, 11), (9, 90)) AS s (Id, Amount) ON t.N = s.Id
    WHEN MATCHED AND t.Twice = 20 THEN UPDATE SET Q += s.Amount
    WHEN NOT MATCHED THEN INSERT (N, Q) VALUES (s.Id, s.Amount)
    WHEN NOT MATCHED BY SOURCE THEN DELETE
    OUTPUT $action, deleted.N, inserted.Q;
SELECT Id, Amount, Kind FROM dbo.Item ORDER BY Id;
GO
--! rows unordered
--! INSERT | NULL | 90
--! UPDATE | 1 | 21
--! DELETE | 2 | NULL
--! rows
--! 1 | 21 | a
--! 3 | 30 | b
--! 9 | 90 | k
MERGE dbo.OverA AS t USING (VALUES (1)) AS s (Id) ON t.N = s.Id WHEN MATCHED THEN UPDATE SET Twice = 1;
GO
--! error 4406
MERGE dbo.OverA AS t USING (VALUES (1)) AS s (Id) ON t.N = s.Id WHEN NOT MATCHED THEN INSERT VALUES (1, 2, 3);
GO
--! error 4406
MERGE dbo.Checked AS t USING (VALUES (1)) AS s (Id) ON t.Id = s.Id WHEN MATCHED THEN DELETE;
GO
--! error 4405
-- derived tables
DELETE d FROM (SELECT Id, ROW_NUMBER() OVER (ORDER BY Amount DESC) AS place FROM dbo.Item) AS d WHERE d.place = 1;
UPDATE d SET x += 1 FROM (SELECT TOP (1) Amount FROM dbo.Item ORDER BY Id) AS d (x);
UPDATE d SET d.Amount = d.Amount + d.Price FROM (SELECT i.Amount, p.Price FROM dbo.Item AS i JOIN dbo.Price AS p ON p.Item = i.Id) AS d;
SELECT Id, Amount FROM dbo.Item ORDER BY Id;
GO
--! rows
--! 1 | 122
--! 3 | 30
UPDATE d SET n = 1 FROM (SELECT COUNT(*) AS n FROM dbo.Item) AS d;
GO
--! error 4418
UPDATE d SET n = 1 FROM (SELECT Amount + 1 AS n FROM dbo.Item) AS d;
GO
--! error 4421
UPDATE d SET n = 1 FROM (SELECT Amount AS n FROM dbo.Item UNION ALL SELECT Price FROM dbo.Price) AS d;
GO
--! error 4417
UPDATE d SET Amount = 1, Price = 2 FROM (SELECT i.Amount, p.Price FROM dbo.Item AS i CROSS JOIN dbo.Price AS p) AS d;
GO
--! error 4420
DELETE d FROM (SELECT i.Amount, p.Price FROM dbo.Item AS i CROSS JOIN dbo.Price AS p) AS d;
GO
--! error 4420
-- a table variable through a common table expression
DECLARE @t TABLE (a int, b int);
INSERT @t VALUES (1, 1), (1, 2), (2, 3);
WITH c AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS n FROM @t) DELETE c OUTPUT deleted.b WHERE n > 1;
WITH c AS (SELECT a AS x FROM @t) UPDATE c SET x *= 10 OUTPUT inserted.x;
WITH c (x, y) AS (SELECT a, b FROM @t) INSERT c (y, x) VALUES (7, 8);
SELECT a, b FROM @t ORDER BY a;
GO
--! rows
--! 2
--! rows unordered
--! 10
--! 20
--! rows
--! 8 | 7
--! 10 | 1
--! 20 | 3
-- WITH CHECK OPTION over a join and a subquery, in FROM of a write, and in MERGE
UPDATE dbo.Checked SET Amount = 199;
UPDATE dbo.Checked SET Amount = 200;
UPDATE c SET Amount = 201 FROM dbo.Checked AS c JOIN dbo.Price AS p ON p.Item = c.Id;
UPDATE dbo.Checked SET Price = 199 WHERE Id = 1;
MERGE dbo.Checked AS t USING (VALUES (1)) AS s (Id) ON t.Id = s.Id WHEN MATCHED THEN UPDATE SET Amount = 300;
SELECT Amount, Price FROM dbo.Checked;
GO
--! error 550
--! error 550
--! error 550
--! rows
--! 199 | 199
INSERT dbo.Checked (Id, Amount) VALUES (8, 1);
GO
--! error 550
-- one table of a join gets the rows
CREATE VIEW dbo.Joined AS SELECT i.Id, i.Amount, p.Item, p.Price FROM dbo.Item AS i LEFT JOIN dbo.Price AS p ON p.Item = i.Id;
GO
INSERT dbo.Joined (Id, Amount) VALUES (8, 1);
INSERT dbo.Joined (Item, Price) OUTPUT inserted.Price VALUES (8, 2);
SELECT Id, Amount, Price FROM dbo.Joined WHERE Id = 8;
GO
--! rows
--! 2
--! rows
--! 8 | 1 | 2
INSERT dbo.Joined VALUES (9, 1, 9, 1);
GO
--! error 4405
-- TOP, GROUP BY, DISTINCT, UNION, WITH in a view
DELETE dbo.FirstTwo;
SELECT Id FROM dbo.Item;
UPDATE dbo.Named SET A = 5 WHERE I = 1;
SELECT Amount FROM dbo.Item;
GO
--! rows
--! 1
--! rows
--! 5
DELETE dbo.FirstChecked;
GO
--! error 4427
UPDATE dbo.Counted SET Kind = 'x';
GO
--! error 4403
DELETE dbo.Kinds;
GO
--! error 4403
DELETE dbo.Both;
GO
--! error 4436
-- rights are asked of the view
CREATE USER Reader WITHOUT LOGIN;
GRANT UPDATE, SELECT ON dbo.OverA TO Reader;
GO
EXECUTE AS USER = 'Reader';
UPDATE dbo.OverA SET Q = 3 WHERE N = 1;
UPDATE dbo.Item SET Amount = 3;
DELETE dbo.OverA;
GO
--! error 229 text UPDATE
--! error 229 text 'OverA'
