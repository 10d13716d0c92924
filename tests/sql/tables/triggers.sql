-- Triggers: AFTER and INSTEAD OF, inserted and deleted, UPDATE(), ROLLBACK, errors, nesting, @@ROWCOUNT.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(10), N int);
CREATE TABLE dbo.Log (Seq int IDENTITY, What varchar(20), Id int, Old varchar(10), New varchar(10));
GO
CREATE TRIGGER dbo.T_All ON dbo.T AFTER INSERT, UPDATE, DELETE AS
BEGIN
    SET NOCOUNT ON;
    INSERT dbo.Log (What, Id, Old, New)
    SELECT CASE WHEN d.Id IS NULL THEN 'insert' WHEN i.Id IS NULL THEN 'delete' ELSE 'update' END,
           COALESCE(i.Id, d.Id), d.V, i.V
    FROM inserted AS i FULL JOIN deleted AS d ON d.Id = i.Id
    ORDER BY COALESCE(i.Id, d.Id);
    IF UPDATE(N) INSERT dbo.Log (What) VALUES ('N named');
END
GO
INSERT dbo.T VALUES (1, 'a', 1), (2, 'b', 2);
SELECT @@ROWCOUNT;
UPDATE dbo.T SET V = 'z' WHERE Id = 1;
UPDATE dbo.T SET N = N WHERE Id = 2;
DELETE dbo.T WHERE Id = 1;
SELECT What, Id, Old, New FROM dbo.Log ORDER BY Seq;
GO
--! rows
--! 2
--! rows
--! insert | 1 | NULL | a
--! insert | 2 | NULL | b
--! N named | NULL | NULL | NULL
--! update | 1 | a | z
--! update | 2 | b | b
--! N named | NULL | NULL | NULL
--! delete | 1 | z | NULL
-- SCOPE_IDENTITY is the statement's, whatever the trigger inserts.
CREATE TABLE dbo.I (Id int IDENTITY(500, 1), V int);
GO
CREATE TRIGGER dbo.I_Ins ON dbo.I FOR INSERT AS INSERT dbo.Log (What) VALUES ('from I');
GO
INSERT dbo.I (V) VALUES (1);
SELECT SCOPE_IDENTITY();
GO
--! rows
--! 500
-- A trigger runs in a transaction; ROLLBACK in it ends the batch.
CREATE TRIGGER dbo.T_Guard ON dbo.T AFTER DELETE AS
IF @@TRANCOUNT > 0 AND EXISTS (SELECT 1 FROM deleted WHERE V = 'b') ROLLBACK TRANSACTION;
GO
DELETE dbo.T WHERE Id = 2;
SELECT 'not reached';
GO
--! error 3609
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! rows
--! 0 | 1
DROP TRIGGER dbo.T_Guard;
GO
-- An error in a trigger ends the batch and the transaction.
CREATE TRIGGER dbo.T_Fails ON dbo.T AFTER UPDATE AS
BEGIN
    DECLARE @zero int = 0;
    SET @zero = 1 / @zero;
END
GO
BEGIN TRAN;
INSERT dbo.T VALUES (9, 'q', 9);
UPDATE dbo.T SET N = 5;
SELECT 'not reached';
GO
--! error 8134
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! rows
--! 0 | 1
DISABLE TRIGGER dbo.T_Fails ON dbo.T;
UPDATE dbo.T SET N = 5;
SELECT N FROM dbo.T;
GO
--! rows
--! 5
-- INSTEAD OF: the statement's own change does not happen.
CREATE TRIGGER dbo.I_Instead ON dbo.I INSTEAD OF DELETE AS
UPDATE dbo.I SET V = -1 FROM dbo.I JOIN deleted AS d ON d.Id = I.Id;
GO
DELETE dbo.I;
SELECT @@ROWCOUNT, COUNT(*), MIN(V) FROM dbo.I;
GO
--! rows
--! 1 | 1 | -1
CREATE VIEW dbo.Both AS SELECT I.Id, I.V, T.V AS Name FROM dbo.I JOIN dbo.T ON T.N = 5;
GO
CREATE TRIGGER dbo.Both_Ins ON dbo.Both INSTEAD OF INSERT AS
INSERT dbo.I (V) SELECT V * 10 FROM inserted;
GO
INSERT dbo.Both (V, Name) VALUES (7, 'x');
SELECT MAX(V) FROM dbo.I;
GO
--! rows
--! 70
INSERT dbo.I (V) OUTPUT inserted.Id VALUES (1);
GO
--! error 334
DECLARE @ids TABLE (Id int);
INSERT dbo.I (V) OUTPUT inserted.Id INTO @ids VALUES (1), (2);
SELECT COUNT(*) FROM @ids;
GO
--! rows
--! 2
-- The trigger looks its row up: `deleted` and OUTPUT have the row that was there before, also when this transaction has inserted it.
CREATE TABLE dbo.Look (Id int PRIMARY KEY, N int);
CREATE TABLE dbo.Looked (Was int, Became int);
GO
CREATE TRIGGER dbo.Look_Upd ON dbo.Look AFTER UPDATE AS
DECLARE @n int;
SELECT @n = N FROM dbo.Look WHERE Id = 1;
INSERT dbo.Looked SELECT d.N, i.N FROM deleted AS d JOIN inserted AS i ON i.Id = d.Id;
GO
DECLARE @n int;
DECLARE @told TABLE (Was int, Became int);
BEGIN TRANSACTION;
INSERT dbo.Look VALUES (1, 1);
SELECT @n = N FROM dbo.Look WHERE Id = 1;
UPDATE dbo.Look SET N = 2 OUTPUT deleted.N, inserted.N INTO @told WHERE Id = 1;
UPDATE dbo.Look SET N = 3 OUTPUT deleted.N, inserted.N INTO @told WHERE Id = 1;
COMMIT;
SELECT Was, Became FROM @told ORDER BY Was;
SELECT Was, Became FROM dbo.Looked ORDER BY Was;
GO
--! rows
--! 1 | 2
--! 2 | 3
--! rows
--! 1 | 2
--! 2 | 3
