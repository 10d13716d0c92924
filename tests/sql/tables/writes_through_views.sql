-- UPDATE, DELETE and INSERT through views, common table expressions, and views with INSTEAD OF triggers.
CREATE TABLE dbo.Item (Id int PRIMARY KEY, Amount int, Note varchar(10));
CREATE TABLE dbo.Price (Item int, Price int);
INSERT dbo.Item VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');
INSERT dbo.Price VALUES (1, 100), (2, 200);
GO
CREATE VIEW dbo.Small AS SELECT Id AS Number, Amount AS Quantity FROM dbo.Item WHERE Amount < 25;
GO
CREATE VIEW dbo.Checked AS SELECT Id, Amount FROM dbo.Item WHERE dbo.Item.Amount < 25 WITH CHECK OPTION;
GO
CREATE VIEW dbo.OverChecked (I, A) AS SELECT Id, Amount FROM dbo.Checked WHERE Id < 100;
GO
CREATE VIEW dbo.Priced AS SELECT i.Id, i.Amount, p.Price, i.Amount * p.Price AS Value FROM dbo.Item AS i JOIN dbo.Price AS p ON p.Item = i.Id;
GO
CREATE VIEW dbo.Doubled AS SELECT Id, Amount * 2 AS Twice FROM dbo.Item;
GO
CREATE TRIGGER dbo.DoubledUpdate ON dbo.Doubled INSTEAD OF UPDATE AS
    UPDATE i SET Amount = n.Twice / 2 FROM dbo.Item AS i JOIN inserted AS n ON n.Id = i.Id JOIN deleted AS o ON o.Id = n.Id AND o.Twice <> n.Twice;
GO
CREATE TRIGGER dbo.DoubledDelete ON dbo.Doubled INSTEAD OF DELETE AS DELETE dbo.Item WHERE Id IN (SELECT Id FROM deleted);
GO
-- a view in FROM
UPDATE s SET Quantity = s.Quantity + p.Price FROM dbo.Small AS s JOIN dbo.Price AS p ON p.Item = s.Number WHERE s.Number = 1;
UPDATE dbo.Small SET Quantity += 1 FROM dbo.Small JOIN dbo.Price AS p ON p.Item = Number;
SELECT Id, Amount FROM dbo.Item ORDER BY Id;
GO
--! rows
--! 1 | 110
--! 2 | 21
--! 3 | 30
DELETE s FROM dbo.Small AS s JOIN dbo.Price AS p ON p.Item = s.Number AND p.Price = 200;
SELECT Id FROM dbo.Item ORDER BY Id;
GO
--! rows
--! 1
--! 3
-- a view over a join: one table at a time
UPDATE dbo.Priced SET Amount = 7 WHERE Price = 100;
UPDATE dbo.Priced SET Price = 70 WHERE Amount = 7;
SELECT Id, Amount, Price FROM dbo.Priced;
GO
--! rows
--! 1 | 7 | 70
UPDATE dbo.Priced SET Amount = 8, Price = 80;
GO
--! error 4405
UPDATE dbo.Priced SET Value = 8;
GO
--! error 4406
DELETE dbo.Priced;
GO
--! error 4405
-- WITH CHECK OPTION
INSERT dbo.Checked VALUES (4, 24);
INSERT dbo.Checked VALUES (5, 25);
UPDATE dbo.Checked SET Amount = NULL WHERE Id = 4;
UPDATE dbo.OverChecked SET A = 99 WHERE I = 4;
INSERT dbo.OverChecked VALUES (5, 26);
INSERT dbo.OverChecked VALUES (500, 2);
SELECT Id, Amount FROM dbo.Item ORDER BY Id;
GO
--! error 550
--! error 550
--! error 550
--! error 550
--! rows
--! 1 | 7
--! 3 | 30
--! 4 | 24
--! 500 | 2
-- INSTEAD OF triggers
UPDATE dbo.Doubled SET Twice += 2 WHERE Id < 4;
UPDATE d SET Twice = 2 * (SELECT p.Price FROM dbo.Price AS p WHERE p.Item = d.Id) FROM dbo.Doubled AS d WHERE d.Id IN (SELECT Item FROM dbo.Price);
SELECT Id, Amount FROM dbo.Item ORDER BY Id;
DELETE TOP (1) FROM dbo.Doubled WHERE Twice > 100;
DELETE dbo.Doubled WHERE Id = 500;
SELECT Id FROM dbo.Item ORDER BY Id;
GO
--! rows
--! 1 | 70
--! 3 | 31
--! 4 | 24
--! 500 | 2
--! rows
--! 3
--! 4
INSERT dbo.Doubled VALUES (9, 9);
GO
--! error 4406
-- common table expressions
WITH c AS (SELECT Id AS Number, Amount AS Quantity FROM dbo.Item) UPDATE c SET Quantity += Number WHERE Number = 3;
WITH c (N, Q) AS (SELECT Id, Amount FROM dbo.Item) UPDATE c SET Q = v.x FROM c JOIN (VALUES (4, 44)) AS v(n, x) ON v.n = c.N;
WITH j AS (SELECT i.Amount, v.x FROM dbo.Item AS i JOIN (VALUES (4, 1)) AS v(n, x) ON v.n = i.Id) UPDATE j SET Amount += x;
WITH ranked AS (SELECT *, ROW_NUMBER() OVER (ORDER BY Amount DESC) AS place FROM dbo.Item) DELETE ranked WHERE place > 1;
SELECT Id, Amount FROM dbo.Item;
GO
--! rows
--! 4 | 45
WITH c AS (SELECT Id, Amount * 2 AS Twice FROM dbo.Item) UPDATE c SET Twice = 1;
GO
--! error 4421
WITH c AS (SELECT Id, COUNT(*) AS n FROM dbo.Item GROUP BY Id) UPDATE c SET Id = 1;
GO
--! error 4418
