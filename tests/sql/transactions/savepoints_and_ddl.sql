-- Savepoints over rows and definitions; what a rollback does not undo: table variables, identity, sequences.
CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, V varchar(10));
CREATE SEQUENCE dbo.S START WITH 1;
GO
BEGIN TRAN;
INSERT dbo.T VALUES ('a');
SAVE TRAN here;
INSERT dbo.T VALUES ('b');
UPDATE dbo.T SET V = 'changed';
CREATE TABLE dbo.New (A int);
INSERT dbo.New VALUES (1);
ALTER TABLE dbo.T ADD Extra int NULL;
ROLLBACK TRAN here;
SELECT * FROM dbo.T;
SELECT OBJECT_ID('dbo.New');
GO
--! rows
--! columns Id | V
--! 1 | a
--! rows
--! NULL
INSERT dbo.T VALUES ('c');
COMMIT;
SELECT Id, V FROM dbo.T ORDER BY Id;
GO
--! rows
--! 1 | a
--! 3 | c
DECLARE @t TABLE (V int);
BEGIN TRAN;
INSERT @t VALUES (1), (2);
INSERT dbo.T VALUES ('gone');
ROLLBACK;
SELECT COUNT(*) FROM @t;
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! 2
--! rows
--! 2
BEGIN TRAN;
SELECT NEXT VALUE FOR dbo.S;
ROLLBACK;
SELECT NEXT VALUE FOR dbo.S;
GO
--! rows
--! 1
--! rows
--! 2
BEGIN TRAN;
TRUNCATE TABLE dbo.T;
INSERT dbo.T VALUES ('again');
SELECT Id FROM dbo.T;
ROLLBACK;
INSERT dbo.T VALUES ('after');
SELECT COUNT(*), MAX(Id) - MIN(Id) FROM dbo.T WHERE V IN ('a', 'c', 'after');
GO
--! rows
--! 1
--! rows
--! 3 | *
BEGIN TRAN;
DROP TABLE dbo.T;
SELECT OBJECT_ID('dbo.T');
ROLLBACK;
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! NULL
--! rows
--! 3
