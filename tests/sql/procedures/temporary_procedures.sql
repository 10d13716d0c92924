-- Temporary procedures, ##tables at the end of their session, RECURSIVE_TRIGGERS, errors that come in twos.
CREATE PROCEDURE #Add @a int, @b int = 1, @sum int OUTPUT AS SET @sum = @a + @b; RETURN 7;
GO
DECLARE @s int, @rc int;
EXEC @rc = #Add 40, 2, @s OUTPUT;
SELECT @s, @rc;
EXEC #Add @a = 1, @sum = @s OUTPUT;
SELECT @s;
GO
--! rows
--! 42 | 7
--! rows
--! 2
CREATE PROCEDURE #Add AS SELECT 1;
GO
--! error 2714
ALTER PROCEDURE #Add AS SELECT 'altered';
GO
EXEC #add;
GO
--! rows
--! altered
-- nobody else sees it; ##procedures everybody
--! session other
EXEC #Add;
GO
--! error 2812
--! session maker
CREATE PROCEDURE ##Everybody AS SELECT 'for all';
GO
CREATE TABLE ##Shared (A int);
INSERT ##Shared VALUES (1);
GO
--! session other
EXEC ##Everybody;
SELECT A FROM ##Shared;
GO
--! rows
--! for all
--! rows
--! 1
--! session maker
RAISERROR('this session ends', 20, 1) WITH LOG;
GO
--! error 2745
--! error 50000
--! error 596
--! session other
EXEC ##Everybody;
GO
--! error 2812
SELECT A FROM ##Shared;
GO
--! error 208
--! session main
-- one made in a procedure ends with it, one made in a transaction with its rollback
CREATE PROCEDURE dbo.MakesOne AS EXEC ('CREATE PROCEDURE #Inner AS SELECT 1'); EXEC #Inner;
GO
EXEC dbo.MakesOne;
GO
--! error 2812
BEGIN TRAN;
GO
CREATE PROCEDURE #Undone AS SELECT 'there';
GO
EXEC #Undone;
ROLLBACK;
EXEC #Undone;
GO
--! error 2812
--! rows
--! there
DROP PROCEDURE #Add;
DROP PROCEDURE IF EXISTS #Add;
DROP PROCEDURE #Add;
GO
--! error 3701
-- a trigger that fires itself
CREATE TABLE dbo.Steps (N int);
GO
CREATE TRIGGER dbo.NextStep ON dbo.Steps AFTER INSERT AS
    IF (SELECT MAX(N) FROM inserted) < 4 INSERT dbo.Steps SELECT MAX(N) + 1 FROM inserted;
GO
INSERT dbo.Steps VALUES (1);
SELECT N FROM dbo.Steps ORDER BY N;
ALTER DATABASE CURRENT SET RECURSIVE_TRIGGERS ON;
DELETE dbo.Steps;
INSERT dbo.Steps VALUES (1);
SELECT N FROM dbo.Steps ORDER BY N;
EXEC sp_configure 'nested triggers', 0;
RECONFIGURE;
DELETE dbo.Steps;
INSERT dbo.Steps VALUES (1);
SELECT N FROM dbo.Steps ORDER BY N;
EXEC sp_configure 'nested triggers', 1;
RECONFIGURE;
GO
--! rows
--! 1
--! 2
--! rows
--! 1
--! 2
--! 3
--! 4
--! rows
--! 1
--! 2
-- errors in twos
CREATE TABLE dbo.Child (A int REFERENCES dbo.NoParent (Id));
GO
--! error 1767
--! error 1750
CREATE TABLE dbo.Parent (A int NOT NULL, B int, C int, CONSTRAINT CK_B CHECK (B > 0), CONSTRAINT DF_B DEFAULT 1 FOR B);
INSERT dbo.Parent VALUES (1, 1, 1), (1, 1, 1);
ALTER TABLE dbo.Parent DROP COLUMN B;
GO
--! error 5074
--! error 5074
--! error 4922
ALTER TABLE dbo.Parent ADD PRIMARY KEY (A);
GO
--! error 1505
--! error 1750
BEGIN TRY
    ALTER TABLE dbo.Parent ADD PRIMARY KEY (C);
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER();
END CATCH
GO
--! rows
--! 1750
-- An altered one stays that of whoever created it, though the ALTER stood in a batch that is over.
CREATE PROCEDURE #a AS SELECT 1
GO
EXEC ('ALTER PROCEDURE #a AS SELECT 2');
EXEC #a;
EXEC ('CREATE OR ALTER PROCEDURE #a AS SELECT 3');
EXEC #a;
BEGIN TRAN;
EXEC ('ALTER PROCEDURE #a AS SELECT 4');
EXEC #a;
ROLLBACK;
EXEC #a;
GO
--! rows
--! 2
--! rows
--! 3
--! rows
--! 4
--! rows
--! 3
