-- FOREIGN KEY: both directions, the four actions, a table that refers to itself, and what DDL refuses.
CREATE TABLE dbo.Parent (Id int PRIMARY KEY, Code varchar(5) UNIQUE);
CREATE TABLE dbo.Child (Id int PRIMARY KEY, ParentId int CONSTRAINT FK_Child REFERENCES dbo.Parent (Id));
INSERT dbo.Parent VALUES (1, 'a'), (2, 'b'), (3, 'c');
INSERT dbo.Child VALUES (10, 1), (11, NULL);
GO
INSERT dbo.Child VALUES (12, 9);
GO
--! error 547 severity 16 text FK_Child
UPDATE dbo.Child SET ParentId = 9 WHERE Id = 10;
GO
--! error 547 text UPDATE
DELETE dbo.Parent WHERE Id = 1;
GO
--! error 547 text REFERENCE
UPDATE dbo.Parent SET Id = 5 WHERE Id = 1;
GO
--! error 547 text REFERENCE
DELETE dbo.Parent WHERE Id = 3;
SELECT COUNT(*) FROM dbo.Parent;
GO
--! rows
--! 2
TRUNCATE TABLE dbo.Parent;
GO
--! error 4712
DROP TABLE dbo.Parent;
GO
--! error 3726
CREATE TABLE dbo.Casc (Id int, P int REFERENCES dbo.Parent (Id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE dbo.Nul (Id int, P int REFERENCES dbo.Parent ON DELETE SET NULL);
CREATE TABLE dbo.Def (Id int, P int DEFAULT 1 REFERENCES dbo.Parent ON DELETE SET DEFAULT);
INSERT dbo.Casc VALUES (1, 2); INSERT dbo.Nul VALUES (1, 2); INSERT dbo.Def VALUES (1, 2);
UPDATE dbo.Child SET ParentId = 1;
DELETE dbo.Parent WHERE Id = 2;
SELECT (SELECT COUNT(*) FROM dbo.Casc), (SELECT P FROM dbo.Nul), (SELECT P FROM dbo.Def);
GO
--! rows
--! 0 | NULL | 1
CREATE TABLE dbo.Tree (Id int PRIMARY KEY, Up int REFERENCES dbo.Tree (Id));
INSERT dbo.Tree VALUES (1, NULL), (2, 1), (3, 2);
INSERT dbo.Tree VALUES (5, 5);
INSERT dbo.Tree VALUES (6, 7);
GO
--! error 547 text SAME TABLE
DELETE dbo.Tree WHERE Id = 1;
GO
--! error 547 text SAME TABLE
DELETE dbo.Tree;
SELECT COUNT(*) FROM dbo.Tree;
GO
--! rows
--! 0
CREATE TABLE dbo.Bad (P int REFERENCES dbo.Nowhere (Id));
GO
--! error 1767
--! error 1750
CREATE TABLE dbo.Bad (P int REFERENCES dbo.Parent (Nope));
GO
--! error 1770
--! error 1750
CREATE TABLE dbo.Bad (P bigint REFERENCES dbo.Parent (Id));
GO
--! error 1778
--! error 1750
CREATE TABLE dbo.NoKey (A int);
CREATE TABLE dbo.Bad (P int REFERENCES dbo.NoKey (A));
GO
--! error 1776
--! error 1750
-- NOCHECK lets a wrong row in; CHECK with WITH CHECK finds it.
ALTER TABLE dbo.Child NOCHECK CONSTRAINT FK_Child;
INSERT dbo.Child VALUES (99, 99);
ALTER TABLE dbo.Child WITH CHECK CHECK CONSTRAINT FK_Child;
GO
--! error 547
DELETE dbo.Child;
ALTER TABLE dbo.Child DROP CONSTRAINT FK_Child;
ALTER TABLE dbo.Child ADD CONSTRAINT FK_New FOREIGN KEY (ParentId) REFERENCES dbo.Parent;
INSERT dbo.Child VALUES (1, 99);
GO
--! error 547 text FK_New
