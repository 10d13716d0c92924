-- sp_rename: tables, columns, constraints, indexes, modules, alias types.
CREATE TYPE dbo.Money2 FROM decimal(9, 2);
CREATE TABLE dbo.Old (Id int NOT NULL CONSTRAINT PK_Old PRIMARY KEY, Amount dbo.Money2 CONSTRAINT DF_Amount DEFAULT 5, Checked int CONSTRAINT CK_Checked CHECK (Checked > 0));
CREATE TABLE dbo.Child (OldId int CONSTRAINT FK_Old REFERENCES dbo.Old (Id));
CREATE INDEX IX_Amount ON dbo.Old (Amount) INCLUDE (Checked);
INSERT dbo.Old (Id, Checked) VALUES (1, 1);
GO
CREATE PROCEDURE dbo.Reads AS SELECT Id FROM dbo.Old;
GO
EXEC sp_rename 'dbo.Old.Amount', 'Price', 'COLUMN';
GO
--! print Caution
SELECT Price FROM dbo.Old;
EXEC sp_rename 'dbo.Old.Id', 'Number', 'COLUMN';
INSERT dbo.Child VALUES (1);
EXEC sp_rename 'Old', 'New';
SELECT Number, Price, Checked FROM dbo.New;
EXEC sp_rename @objname = N'dbo.New.IX_Amount', @newname = N'IX_Price', @objtype = N'INDEX';
EXEC sp_rename 'PK_Old', 'PK_New', 'OBJECT';
EXEC sp_rename 'DF_Amount', 'DF_Price';
EXEC sp_rename 'Reads', 'Readers';
EXEC sp_rename 'Money2', 'Money3', 'USERDATATYPE';
SELECT name FROM sys.indexes WHERE object_id = OBJECT_ID('dbo.New') ORDER BY name;
SELECT name FROM sys.default_constraints WHERE parent_object_id = OBJECT_ID('dbo.New');
SELECT TYPE_NAME(user_type_id) FROM sys.columns WHERE object_id = OBJECT_ID('dbo.New') AND name = 'Price';
GO
--! print Caution
--! print Caution
--! print Caution
--! print Caution
--! print Caution
--! print Caution
--! print Caution
--! rows
--! 5.00
--! rows
--! 1 | 5.00 | 1
--! rows
--! IX_Price
--! PK_New
--! rows
--! DF_Price
--! rows
--! Money3
INSERT dbo.New (Number, Checked) VALUES (1, 1);
INSERT dbo.Child VALUES (9);
SELECT Id FROM dbo.Old;
GO
--! error 2627
--! error 547
--! error 208
-- the text of a module stays as it is
EXEC dbo.Readers;
GO
--! error 208
EXEC dbo.Reads;
GO
--! error 2812
EXEC sp_rename 'dbo.New.Checked', 'Other', 'COLUMN';
GO
--! error 15336
EXEC sp_rename 'dbo.New.Price', 'Number', 'COLUMN';
GO
--! error 15335
EXEC sp_rename 'New', 'Child';
GO
--! error 15335
EXEC sp_rename 'Nothing', 'Something';
GO
--! error 15225
EXEC sp_rename 'New', 'Other', 'PLANET';
GO
--! error 15249
BEGIN TRAN;
EXEC sp_rename 'New', 'Undone';
ROLLBACK;
SELECT COUNT(*) FROM dbo.New;
GO
--! rows
--! 1
--! restart
SELECT Number FROM dbo.New;
EXEC sp_rename 'dbo.New.Number', 'Id', 'COLUMN';
GO
--! rows
--! 1
SELECT Id FROM dbo.New;
GO
--! rows
--! 1
-- a sequence, a trigger and a database have names too
CREATE SEQUENCE dbo.Numbers;
CREATE TABLE dbo.Watched (A int);
GO
CREATE TRIGGER dbo.Watch ON dbo.Watched AFTER INSERT AS RETURN;
GO
CREATE DATABASE Before;
GO
EXEC sp_rename 'dbo.Numbers', 'Counter';
EXEC sp_rename 'dbo.Watch', 'Guard', 'OBJECT';
EXEC sp_rename 'Before', 'After', 'DATABASE';
SELECT NEXT VALUE FOR dbo.Counter - NEXT VALUE FOR dbo.Counter, OBJECTPROPERTY(OBJECT_ID('dbo.Guard'), 'IsTrigger'), DB_ID('Before'), IIF(DB_ID('After') > 4, 'there', 'not');
GO
--! rows
--! 0 | 1 | NULL | there
EXEC sp_rename 'dbo.Watched', NULL;
GO
--! error 15223
-- The rows of a renamed table are its own: a new table may have the old name.
CREATE TABLE Moved (a int)
INSERT Moved VALUES (1)
EXEC sp_rename 'Moved', 'MovedAway'
GO
CREATE TABLE moved (a int, b int)
INSERT moved VALUES (5, 6)
EXEC sp_rename 'moved', 'MovedAway2'
SELECT 7 AS a INTO Moved
SELECT * FROM MovedAway
SELECT * FROM MovedAway2
SELECT * FROM Moved
GO
--! rows
--! 1
--! rows
--! 5 | 6
--! rows
--! 7
DROP TABLE MovedAway2
SELECT * FROM Moved
SELECT * FROM MovedAway
GO
--! rows
--! 7
--! rows
--! 1
