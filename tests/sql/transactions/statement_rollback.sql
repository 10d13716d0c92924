-- A statement that fails inside a transaction undoes itself only: what came before stays, and the transaction goes on.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(5) NOT NULL, N int CHECK (N < 100));
CREATE TABLE dbo.P (Id int PRIMARY KEY);
CREATE TABLE dbo.C (P int REFERENCES dbo.P);
INSERT dbo.P VALUES (1); INSERT dbo.C VALUES (1);
GO
BEGIN TRAN;
INSERT dbo.T VALUES (1, 'one', 1);
INSERT dbo.T VALUES (2, 'two', 2), (1, 'dup', 3);
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! error 2627
--! rows
--! 1 | 1
INSERT dbo.T VALUES (3, NULL, 1);
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! error 515
--! rows
--! 1 | 1
INSERT dbo.T VALUES (3, 'x', 100);
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! error 547
--! rows
--! 1 | 1
INSERT dbo.T VALUES (3, 'too long', 1);
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! error 2628
--! rows
--! 1 | 1
INSERT dbo.T SELECT 10, 'ten', 10 UNION ALL SELECT 11, NULL, 11;
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! error 515
--! rows
--! 1 | 1
UPDATE dbo.T SET N = N / 0;
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T WHERE N = 1;
GO
--! error 8134
--! rows
--! 1 | 1
DELETE dbo.P;
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.P;
GO
--! error 547
--! rows
--! 1 | 1
INSERT dbo.C VALUES (7);
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.C;
GO
--! error 547
--! rows
--! 1 | 1
CREATE TABLE dbo.T (A int);
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! error 2714
--! rows
--! 1 | 1
DROP TABLE dbo.Nope;
ALTER TABLE dbo.T ADD V int;
GO
--! error 3701
--! error 2705
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! rows
--! 1 | 1
COMMIT;
SELECT Id, V, N FROM dbo.T;
GO
--! rows
--! 1 | one | 1
-- A conversion error ends the batch and the transaction.
BEGIN TRAN;
INSERT dbo.T VALUES (50, 'x', 'abc');
GO
--! error 245
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
-- Caught, the same statement errors leave the transaction to be committed.
BEGIN TRAN;
BEGIN TRY
    INSERT dbo.T VALUES (2, 'two', 2);
    INSERT dbo.T VALUES (1, 'dup', 2);
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), XACT_STATE();
    INSERT dbo.T VALUES (3, 'three', 3);
END CATCH
COMMIT;
SELECT Id FROM dbo.T ORDER BY Id;
GO
--! rows
--! 2627 | 1
--! rows
--! 1
--! 2
--! 3
