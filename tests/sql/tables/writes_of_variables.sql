-- A statement that fails leaves a table variable as it was; ROLLBACK does not. Whether a transaction is open changes nothing.
CREATE TABLE dbo.Log (n int NOT NULL);
CREATE TABLE dbo.Rest (n int CHECK (n < 100), m int);
GO
DECLARE @t TABLE (Id int IDENTITY(10, 5), A int NOT NULL UNIQUE, B int CHECK (B < 100) DEFAULT 7, C AS A * 2);
INSERT @t (A) VALUES (1); SELECT @@ROWCOUNT, @@IDENTITY, SCOPE_IDENTITY(), @@ERROR;
INSERT @t (A, B) VALUES (2, 3), (3, 4); SELECT @@ROWCOUNT, SCOPE_IDENTITY();
BEGIN TRY INSERT @t (A) VALUES (4), (5), (3) END TRY BEGIN CATCH SELECT ERROR_NUMBER(), @@ROWCOUNT END CATCH;
BEGIN TRY INSERT @t (A, B) SELECT 4, 8 UNION ALL SELECT 5, 100 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY INSERT @t (A) VALUES (NULL) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY INSERT @t (A, B) VALUES (6, 100) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY UPDATE @t SET A = 3 - A % 2 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY UPDATE @t SET B = 10 / (A - 2) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
SELECT Id - MIN(Id) OVER () AS Id, A, B, C FROM @t;
UPDATE @t SET A = 4 - A; SELECT @@ROWCOUNT;
UPDATE @t SET B = 1 WHERE A = 9; SELECT @@ROWCOUNT;
UPDATE TOP (2) @t SET B = B + 1 OUTPUT deleted.B, inserted.B, inserted.C;
DELETE @t OUTPUT deleted.A WHERE A IN (1, 2); SELECT @@ROWCOUNT;
SELECT A, B, C FROM @t;
GO
--! rows
--! 1 | 10 | 10 | 0
--! rows
--! 2 | 20
--! rows
--! 2627 | 0
--! rows
--! 547
--! rows
--! 515
--! rows
--! 547
--! rows
--! 2627
--! rows
--! 8134
--! rows
--! 0 | 1 | 7 | 2
--! 5 | 2 | 3 | 4
--! 10 | 3 | 4 | 6
--! rows
--! 3
--! rows
--! 0
--! rows
--! 7 | 8 | 6
--! 3 | 4 | 4
--! rows
--! 2
--! 1
--! rows
--! 2
--! rows
--! 3 | 8 | 6
-- What OUTPUT INTO cannot write undoes the statement, whichever of the two is a table variable.
DECLARE @t TABLE (n int, m int);
DECLARE @few TABLE (n int CHECK (n < 3));
INSERT @t VALUES (1, 1), (2, 2), (3, 3);
BEGIN TRY INSERT @t OUTPUT inserted.n INTO @few VALUES (2, 4), (4, 5) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY UPDATE @t SET n = n + 1 OUTPUT inserted.n INTO @few END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY DELETE @t OUTPUT deleted.n INTO @few END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY DELETE @t OUTPUT deleted.n INTO @few OUTPUT 1 / (3 - deleted.n) WHERE n <> 2 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY DELETE @t OUTPUT 0 INTO @few OUTPUT 1 / (3 - deleted.n) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY INSERT dbo.Rest OUTPUT inserted.n INTO @few VALUES (1, 1), (3, 3) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
INSERT @t OUTPUT inserted.m INTO dbo.Log VALUES (7, 8);
BEGIN TRY UPDATE @t SET n = 1 OUTPUT NULL INTO dbo.Log END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
DELETE @t OUTPUT deleted.n INTO @few WHERE n < 3;
SELECT * FROM @t; SELECT * FROM @few; SELECT * FROM dbo.Log; SELECT COUNT(*) FROM dbo.Rest;
SELECT m FROM @t WHERE n = 7;
GO
--! rows
--! 547
--! rows
--! 547
--! rows
--! 547
--! rows
--! 547
--! rows
--! 8134
--! rows
--! 547
--! rows
--! 515
--! rows
--! 3 | 3
--! 7 | 8
--! rows
--! 1
--! 2
--! rows
--! 8
--! rows
--! 0
--! rows
--! 8
-- Transactions: ROLLBACK leaves the rows, a doomed one refuses them, IMPLICIT_TRANSACTIONS begins one for them.
DECLARE @t TABLE (n int PRIMARY KEY);
BEGIN TRANSACTION;
INSERT @t VALUES (1); UPDATE @t SET n = 2; INSERT dbo.Log VALUES (1);
BEGIN TRY INSERT @t VALUES (2) END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE() END CATCH;
ROLLBACK;
SELECT (SELECT COUNT(*) FROM @t), (SELECT COUNT(*) FROM dbo.Log), @@TRANCOUNT;
SET XACT_ABORT ON;
BEGIN TRY BEGIN TRANSACTION; INSERT @t VALUES (2) END TRY BEGIN CATCH
    SELECT ERROR_NUMBER(), XACT_STATE();
    BEGIN TRY INSERT @t VALUES (3) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
    ROLLBACK;
END CATCH;
SET XACT_ABORT OFF; SET IMPLICIT_TRANSACTIONS ON;
INSERT @t VALUES (4); SELECT @@TRANCOUNT; DELETE @t WHERE n = 2; ROLLBACK;
SET IMPLICIT_TRANSACTIONS OFF; SELECT n, @@TRANCOUNT FROM @t;
SET FMTONLY ON; INSERT @t VALUES (5); DELETE @t; SET FMTONLY OFF; SELECT n FROM @t;
GO
--! rows
--! 2627 | 1
--! rows
--! 1 | 1 | 0
--! rows
--! 2627 | -1
--! rows
--! 3930
--! rows
--! 1
--! rows
--! 4 | 0
--! rows
--! 4
-- One that fails outside of TRY: the next statement goes on.
DECLARE @t TABLE (n int PRIMARY KEY);
INSERT @t VALUES (1);
INSERT @t VALUES (2), (1);
SELECT @@ERROR, COUNT(*) FROM @t;
GO
--! error 2627
--! rows
--! 2627 | 1
-- SELECT without FROM gives a row, as VALUES does; what is wrong with it has the errors of SELECT.
DECLARE @n int = 4;
DECLARE @t TABLE (Id int IDENTITY, A int DEFAULT 7, B varchar(3) CHECK (B <> 'no'));
INSERT @t SELECT @n, NULL;
INSERT @t (B, A) OUTPUT inserted.Id, inserted.B SELECT 'x' + 'y' AS First, @n * 2 AS Second;
INSERT @t (B) SELECT CAST(@@ROWCOUNT AS varchar(3)) WHERE @n > 3;
INSERT @t (B) SELECT 'never' WHERE @n > 4;
INSERT @t SELECT (SELECT MAX(A) FROM @t), 'sub';
INSERT @t SELECT COUNT(*), 'one';
INSERT @t SELECT ROW_NUMBER() OVER (ORDER BY @n), 'row';
INSERT @t SELECT DISTINCT @n, 'dis';
INSERT TOP (1) @t SELECT @n, 'top';
INSERT TOP (0) @t SELECT @n, 'nil';
SELECT * FROM @t;
BEGIN TRY INSERT @t SELECT 1, 'no' END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY INSERT @t SELECT 1 / (@n - 4), 'a' END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY INSERT @t SELECT 1, 'long' END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
BEGIN TRY INSERT @t SELECT 'x', 'a' END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH;
SELECT COUNT(*) FROM @t;
GO
--! rows
--! 2 | xy
--! rows
--! 1 | 4 | NULL
--! 2 | 8 | xy
--! 3 | 7 | 1
--! 4 | 8 | sub
--! 5 | 1 | one
--! 6 | 1 | row
--! 7 | 4 | dis
--! 8 | 4 | top
--! rows
--! 547
--! rows
--! 8134
--! rows
--! 2628
--! rows
--! 245
--! rows
--! 8
DECLARE @t TABLE (Id int IDENTITY, A int);
INSERT @t (Id, A) SELECT NULL, 1;
GO
--! error 544
DECLARE @t TABLE (A int, B int);
INSERT @t (A, B) SELECT 1;
GO
--! error 120
DECLARE @t TABLE (A int, B int);
INSERT @t (A) SELECT 1, 2;
GO
--! error 121
DECLARE @t TABLE (A int, B int);
INSERT @t SELECT 1;
GO
--! error 213
DECLARE @t TABLE (A int);
INSERT @t SELECT B;
GO
--! error 207
