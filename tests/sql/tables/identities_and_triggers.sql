-- What triggers do to @@IDENTITY, what an INSTEAD OF trigger does to its own view, and NULL as an identity.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE One (Id int IDENTITY, A int);
CREATE TABLE Two (Id int IDENTITY (100, 1), A int);
GO
CREATE TRIGGER AfterOne ON One AFTER INSERT AS INSERT Two VALUES (7);
GO

-- @@IDENTITY is the last one of the session, triggers included; SCOPE_IDENTITY that of the own scope.
INSERT One VALUES (1);
SELECT @@IDENTITY, SCOPE_IDENTITY(), IDENT_CURRENT('One'), IDENT_CURRENT('Two');
GO
--! rows
--! 100 | 1 | 1 | 100
INSERT One VALUES (2), (3);
SELECT @@IDENTITY, SCOPE_IDENTITY(), IDENT_CURRENT('One'), IDENT_CURRENT('Two');
MERGE One USING (VALUES (4)) AS n (A) ON One.A = n.A WHEN NOT MATCHED THEN INSERT (A) VALUES (n.A);
SELECT @@IDENTITY, SCOPE_IDENTITY();
GO
--! rows
--! 101 | 3 | 3 | 101
--! rows
--! 102 | 4

-- NULL and DEFAULT that are written are 339, a NULL that is computed is 515.
SET IDENTITY_INSERT One ON;
GO
INSERT One (Id, A) VALUES (NULL, 1);
GO
--! error 339 line 1
INSERT One (Id, A) VALUES (9, 1), (DEFAULT, 1);
GO
--! error 339 line 1
INSERT One (Id, A) VALUES (NULLIF(1, 1), 1);
GO
--! error 515 line 1
SET IDENTITY_INSERT One OFF;
GO

-- An INSTEAD OF trigger writes its own view without being fired again, also through a join, and through a procedure.
DROP TRIGGER AfterOne;
GO
CREATE VIEW Ones AS SELECT Id, A FROM One;
GO
CREATE TRIGGER InsteadOfUpdate ON Ones INSTEAD OF UPDATE AS
    UPDATE Ones SET A = inserted.A + 1 FROM Ones JOIN inserted ON Ones.Id = inserted.Id;
GO
UPDATE Ones SET A = 5 WHERE Id <= 2;
SELECT * FROM One ORDER BY Id;
GO
--! rows
--! 1 | 6
--! 2 | 6
--! 3 | 3
--! 4 | 4
CREATE PROCEDURE SetAll AS UPDATE Ones SET A = 77;
GO
EXEC SetAll;
SELECT DISTINCT A FROM One;
GO
--! rows
--! 78
ALTER TRIGGER InsteadOfUpdate ON Ones INSTEAD OF UPDATE AS EXEC SetAll;
GO
UPDATE Ones SET A = 5 WHERE Id = 1;
SELECT DISTINCT A FROM One;
EXEC SetAll;
SELECT DISTINCT A FROM One;
GO
--! rows
--! 77
--! rows
--! 77
CREATE TRIGGER InsteadOfDelete ON Ones INSTEAD OF DELETE AS DELETE o FROM Ones AS o JOIN deleted ON o.Id = deleted.Id WHERE o.Id > 2;
GO
CREATE TRIGGER InsteadOfInsert ON Ones INSTEAD OF INSERT AS INSERT Ones (A) SELECT A * 10 FROM inserted;
GO
DELETE Ones; INSERT Ones (A) VALUES (8);
SELECT Id, A FROM One ORDER BY Id;
GO
--! rows
--! 1 | 77
--! 2 | 77
--! 5 | 80
SELECT SQL_VARIANT_PROPERTY(@@IDENTITY, 'BaseType'), SQL_VARIANT_PROPERTY(IDENT_CURRENT('One'), 'BaseType'), SQL_VARIANT_PROPERTY(@@IDENTITY, 'Precision')
GO
--! rows
--! numeric | numeric | 38
-- A TRUNCATE that is rolled back takes back no identity: the counter goes on from where it was, whatever rows are left.
CREATE TABLE counted (i int IDENTITY, v int);
INSERT counted VALUES (1), (2), (3);
DELETE counted WHERE i > 1;
BEGIN TRAN;
INSERT counted VALUES (4);
SAVE TRAN s;
TRUNCATE TABLE counted;
INSERT counted VALUES (5);
TRUNCATE TABLE counted;
ROLLBACK TRAN s;
INSERT counted OUTPUT inserted.i VALUES (6);
ROLLBACK;
INSERT counted OUTPUT inserted.i VALUES (7);
GO
--! rows
--! 5
--! rows
--! 6

-- SCOPE_IDENTITY() goes on through the batches of a session, as drivers ask for it, each in a batch of its own. What a procedure, EXEC of a
-- text or sp_executesql inserts is another scope.
CREATE TABLE kept (i int IDENTITY (10, 1), v int);
GO
CREATE PROCEDURE Keeps AS INSERT kept VALUES (0); SELECT SCOPE_IDENTITY();
GO
INSERT kept VALUES (1);
GO
SELECT SCOPE_IDENTITY(), @@IDENTITY;
GO
--! rows
--! 10 | 10
EXEC Keeps;
EXEC ('INSERT kept VALUES (2)');
EXEC sp_executesql N'INSERT kept VALUES (@v)', N'@v int', 3;
GO
--! rows
--! 11
SELECT SCOPE_IDENTITY(), @@IDENTITY;
INSERT kept VALUES (4);
SELECT 1 / 0;
GO
--! rows
--! 10 | 13
--! error 8134
SELECT SCOPE_IDENTITY();
GO
--! rows
--! 14
