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
-- Each renaming is one event RENAME, which DDL triggers and event notifications hear.
CREATE DATABASE Renames;
GO
USE Renames;
GO
CREATE TABLE dbo.Heard (Nr int IDENTITY, Kind nvarchar(40), Old nvarchar(40), New nvarchar(40), Target nvarchar(40), Given nvarchar(200), Command nvarchar(200));
CREATE TABLE dbo.T (a int CONSTRAINT DF_a DEFAULT 1, CONSTRAINT CK_a CHECK (a > 0));
CREATE INDEX I ON dbo.T (a);
CREATE TYPE dbo.Short FROM nvarchar(5);
CREATE SEQUENCE dbo.S; CREATE SYNONYM dbo.Y FOR dbo.T; CREATE QUEUE dbo.Q;
GO
CREATE VIEW dbo.V AS SELECT a FROM dbo.T;
GO
CREATE PROCEDURE dbo.P AS RETURN;
GO
CREATE FUNCTION dbo.F() RETURNS int AS BEGIN RETURN 1 END;
GO
CREATE TRIGGER dbo.G ON dbo.T AFTER INSERT AS RETURN;
GO
CREATE TRIGGER Hears ON DATABASE FOR RENAME AS
DECLARE @e xml = EVENTDATA();
INSERT INTO dbo.Heard SELECT @e.value('(/EVENT_INSTANCE/ObjectType)[1]', 'nvarchar(40)'), @e.value('(/EVENT_INSTANCE/ObjectName)[1]', 'nvarchar(40)'),
    @e.value('(/EVENT_INSTANCE/NewObjectName)[1]', 'nvarchar(40)'), @e.value('(/EVENT_INSTANCE/TargetObjectName)[1]', 'nvarchar(40)'),
    CAST(@e.query('/EVENT_INSTANCE/Parameters/Param') AS nvarchar(200)), @e.value('(/EVENT_INSTANCE/TSQLCommand/CommandText)[1]', 'nvarchar(200)');
GO
EXEC sp_rename 'dbo.T.a', 'b';
GO
--! error 15336
EXEC sp_rename 'dbo.T.I', 'J', 'INDEX'; EXEC sp_rename 'CK_a', 'CK_b', 'OBJECT'; EXEC sp_rename 'DF_a', 'DF''b';
EXEC sp_rename 'V', 'V2'; EXEC sp_rename 'P', 'P2'; EXEC sp_rename 'F', 'F2'; EXEC sp_rename 'G', 'G2'; EXEC sp_rename 'S', 'S2'; EXEC sp_rename 'Y', 'Y2';
EXEC sp_rename 'Short', 'Shorter', 'USERDATATYPE'; EXEC sp_rename 'dbo.T', 'T2';
SELECT Kind, Old, New, Target FROM dbo.Heard ORDER BY Nr;
SELECT Given, Command FROM dbo.Heard WHERE Nr IN (1, 3) ORDER BY Nr;
GO
--! rows
--! INDEX | I | J | T
--! CONSTRAINT | CK_a | CK_b | T
--! CONSTRAINT | DF_a | DF'b | T
--! VIEW | V | V2 | NULL
--! PROCEDURE | P | P2 | NULL
--! FUNCTION | F | F2 | NULL
--! TRIGGER | G | G2 | T
--! SEQUENCE | S | S2 | NULL
--! SYNONYM | Y | Y2 | NULL
--! TYPE | Short | Shorter | NULL
--! TABLE | T | T2 | NULL
--! rows
--! <Param>dbo.T.I</Param><Param>J</Param><Param>INDEX</Param> | EXEC sp_rename N'dbo.T.I', N'J', N'INDEX'
--! <Param>DF_a</Param><Param>DF'b</Param> | EXEC sp_rename N'DF_a', N'DF''b'
SELECT t.type, p.type_name FROM sys.event_notification_event_types p JOIN (VALUES (241)) AS t (type) ON p.type = t.type;
EXEC sp_rename 'Q', 'Q2';
GO
--! rows
--! 241 | RENAME
--! error 15225
-- A trigger takes a renaming back, and nobody renames what he may not alter.
CREATE TRIGGER Refuses ON DATABASE FOR DDL_DATABASE_LEVEL_EVENTS AS IF EVENTDATA().value('(/EVENT_INSTANCE/EventType)[1]', 'nvarchar(40)') = 'RENAME' ROLLBACK;
GO
EXEC sp_rename 'T2', 'T3';
GO
--! error 3609
SELECT OBJECT_ID('dbo.T3'), COUNT(*) FROM sys.objects WHERE name = 'T2';
DROP TRIGGER Refuses ON DATABASE; DROP TRIGGER Hears ON DATABASE;
CREATE USER Nobody WITHOUT LOGIN; GRANT VIEW DEFINITION ON SCHEMA::dbo TO Nobody; GRANT VIEW DEFINITION ON TYPE::dbo.Shorter TO Nobody;
CREATE USER Alters WITHOUT LOGIN; GRANT ALTER ON dbo.P2 TO Alters; GRANT ALTER ON dbo.S2 TO Alters; GRANT CONTROL ON TYPE::dbo.Shorter TO Alters;
GO
--! rows
--! NULL | 1
EXECUTE AS USER = 'Nobody';
BEGIN TRY EXEC sp_rename 'T2', 'X' END TRY BEGIN CATCH PRINT CONCAT('table ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'T2.a', 'X' END TRY BEGIN CATCH PRINT CONCAT('column ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'CK_b', 'X' END TRY BEGIN CATCH PRINT CONCAT('constraint ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'V2', 'X' END TRY BEGIN CATCH PRINT CONCAT('view ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'P2', 'X' END TRY BEGIN CATCH PRINT CONCAT('procedure ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'S2', 'X' END TRY BEGIN CATCH PRINT CONCAT('sequence ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'Y2', 'X' END TRY BEGIN CATCH PRINT CONCAT('synonym ', ERROR_NUMBER()) END CATCH;
BEGIN TRY EXEC sp_rename 'Shorter', 'X', 'USERDATATYPE' END TRY BEGIN CATCH PRINT CONCAT('type ', ERROR_NUMBER()) END CATCH;
REVERT;
SELECT COUNT(*) FROM sys.objects WHERE name = 'X';
GO
--! print table 229
--! print column 229
--! print constraint 229
--! print view 229
--! print procedure 229
--! print sequence 229
--! print synonym 229
--! print type 229
--! rows
--! 0
EXECUTE AS USER = 'Alters';
EXEC sp_rename 'P2', 'P3'; EXEC sp_rename 'S2', 'S3'; EXEC sp_rename 'Shorter', 'Shortest', 'USERDATATYPE';
REVERT;
SELECT OBJECT_ID('dbo.P3') - OBJECT_ID('dbo.P3'), OBJECT_ID('dbo.S3') - OBJECT_ID('dbo.S3'), TYPE_ID('dbo.Shortest') - TYPE_ID('dbo.Shortest');
GO
--! rows
--! 0 | 0 | 0
