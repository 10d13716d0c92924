-- INSERT … SELECT … FROM (INSERT | UPDATE | DELETE | MERGE … OUTPUT …) AS t: composable data modification.
CREATE TABLE dbo.Item (Id int IDENTITY PRIMARY KEY, Name varchar(20) NOT NULL, Amount int);
CREATE TABLE dbo.History (Line int IDENTITY (100, 1), Act varchar(10), Item int, Name varchar(20), CHECK (Item < 50));
INSERT dbo.Item (Name, Amount) VALUES ('a', 1), ('b', 2), ('c', 3);
INSERT dbo.History (Act, Item, Name)
    SELECT 'gone', d.Id, UPPER(d.Name) FROM (DELETE FROM dbo.Item OUTPUT deleted.* WHERE Amount > 1) AS d WHERE d.Name <> 'b';
SELECT @@ROWCOUNT, SCOPE_IDENTITY();
SELECT Id FROM dbo.Item;
SELECT Line, Act, Item, Name FROM dbo.History;
GO
--! rows
--! 1 | 3
--! rows
--! 1
--! rows
--! 100 | gone | 3 | C
-- identities are those of the statement in FROM; names for its columns
INSERT INTO dbo.History (Act, Item, Name)
    SELECT [What], Number, n FROM (
        MERGE dbo.Item AS t USING (VALUES (1, 'z'), (7, 'new')) AS s (Id, Name) ON t.Id = s.Id
        WHEN MATCHED THEN UPDATE SET Name = s.Name
        WHEN NOT MATCHED THEN INSERT (Name) VALUES (s.Name)
        OUTPUT $action, inserted.Id, inserted.Name) AS x ([What], Number, n);
SELECT @@ROWCOUNT, SCOPE_IDENTITY(), @@IDENTITY;
SELECT Line, Act, Item, Name FROM dbo.History ORDER BY Item;
GO
--! rows
--! 2 | 4 | 4
--! rows unordered
--! 102 | UPDATE | 1 | z
--! 100 | gone | 3 | C
--! 101 | INSERT | 4 | new
-- into a table variable, out of a table variable; OUTPUT of both; variables
DECLARE @from TABLE (a int, b varchar(5));
DECLARE @to TABLE (b varchar(5), c int);
DECLARE @plus int = 10;
INSERT @from VALUES (1, 'x'), (2, 'y');
INSERT @to (b, c) OUTPUT inserted.c
    SELECT u.Old, u.a + @plus FROM (UPDATE @from SET b = 'n' OUTPUT deleted.b AS Old, inserted.a WHERE a = 2) AS u;
SELECT a, b FROM @from ORDER BY a;
SELECT b, c FROM @to;
GO
--! rows
--! 12
--! rows
--! 1 | x
--! 2 | n
--! rows
--! y | 12
-- one statement: what the outer INSERT refuses undoes the inner one too
INSERT dbo.History (Item, Name) SELECT i.Id + 60, i.Name FROM (INSERT dbo.Item (Name) OUTPUT inserted.Id, inserted.Name VALUES ('w')) AS i;
SELECT COUNT(*) FROM dbo.Item WHERE Name = 'w';
GO
--! error 547 line 2
--! rows
--! 0
CREATE PROCEDURE dbo.Move @n int AS
    INSERT dbo.History (Item) SELECT d.Id FROM (DELETE TOP (@n) dbo.Item OUTPUT deleted.Id) AS d;
GO
EXEC dbo.Move 1; EXEC dbo.Move 1;
SELECT COUNT(*) FROM dbo.Item;
GO
--! rows
--! 0
-- where it may not stand
SELECT * FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 10729 line 2
INSERT dbo.History (Item) SELECT Id FROM (SELECT * FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d) AS e;
GO
--! error 10729
INSERT dbo.History (Item) SELECT d.Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d CROSS JOIN dbo.Item;
GO
--! error 10727
INSERT dbo.History (Item) SELECT [1] FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d PIVOT (MAX(Id) FOR Id IN ([1])) AS p;
GO
--! error 10728
UPDATE dbo.Item SET Amount = 1 FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 10730
INSERT dbo.History (Item) SELECT Id FROM (INSERT dbo.Item (Name) OUTPUT inserted.Id SELECT 'a' FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d) AS e;
GO
--! error 10731
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d UNION ALL SELECT 1;
GO
--! error 10732
MERGE dbo.Item USING (DELETE dbo.Item OUTPUT deleted.Id) AS d ON 1 = 1 WHEN MATCHED THEN DELETE;
GO
--! error 10733
-- what the two statements may not have
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item) AS d;
GO
--! error 10716
INSERT dbo.History (Item) SELECT TOP (1) Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 10717
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d GROUP BY Id;
GO
--! error 10717
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id OPTION (RECOMPILE)) AS d;
GO
--! error 10718
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id INTO dbo.History (Item)) AS d;
GO
--! error 10720
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id WHERE CURRENT OF c) AS d;
GO
--! error 10721
INSERT dbo.History (Item) SELECT DISTINCT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 10722
INSERT dbo.History (Item) SELECT MAX(Id) FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 5322
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d WHERE EXISTS (SELECT 1);
GO
--! error 5323
INSERT dbo.History (Item) SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id + 1) AS d;
GO
--! error 8155
-- what the target may not be
CREATE VIEW dbo.Lines AS SELECT Item FROM dbo.History;
GO
INSERT dbo.Lines SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 354
CREATE TABLE dbo.Child (Item int CONSTRAINT FK_Child REFERENCES dbo.Item);
CREATE TABLE dbo.Watched (Item int);
GO
CREATE TRIGGER dbo.Watch ON dbo.Watched AFTER INSERT AS PRINT 'seen';
GO
INSERT dbo.Watched SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 355
INSERT dbo.Child SELECT Id FROM (DELETE dbo.Item OUTPUT deleted.Id) AS d;
GO
--! error 356 text FK_Child
INSERT dbo.Item (Name) SELECT Name FROM (UPDATE dbo.History SET Act = 'x' OUTPUT inserted.Name) AS d;
GO
--! error 356
