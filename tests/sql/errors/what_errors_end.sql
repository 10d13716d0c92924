-- What an error ends: its statement, the batch, the transaction; and what tells of it.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(10) NOT NULL, N int CHECK (N < 100));
GO
-- Statements only, and 3621 says so for writes.
INSERT dbo.T VALUES (1, NULL, 1);
PRINT 'after 515';
SELECT 1 / 0;
PRINT 'after 8134';
INSERT dbo.T VALUES (1, 'a', 1 / 0);
PRINT 'after 8134 in INSERT';
EXEC dbo.Nobody;
PRINT 'after 2812';
GO
--! error 515
--! error 8134
--! error 8134
--! error 2812
--! print has been ended
--! print after 515
--! print after 8134
--! print has been ended
--! print after 8134 in INSERT
--! print after 2812
-- The batch and the open transaction: conversions.
BEGIN TRAN;
SELECT CAST('x' AS int);
PRINT 'not reached';
GO
--! error 245
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
-- Caught, no error tells 3621; what could not be converted dooms the transaction, other errors do not.
BEGIN TRY BEGIN TRAN; SELECT CAST('x' AS int); END TRY BEGIN CATCH SELECT XACT_STATE(); ROLLBACK; END CATCH
BEGIN TRY BEGIN TRAN; INSERT dbo.T VALUES (1, NULL, 1); END TRY BEGIN CATCH SELECT XACT_STATE(); ROLLBACK; END CATCH
PRINT 'end';
GO
--! rows
--! -1
--! rows
--! 1
--! print end
-- In a doomed transaction nothing is written, committed or saved; at the end of the batch it is rolled back.
SET XACT_ABORT ON;
BEGIN TRY BEGIN TRAN; SELECT 1 / 0; END TRY
BEGIN CATCH
    BEGIN TRY INSERT dbo.T VALUES (9, 'x', 1); END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH;
    BEGIN TRY COMMIT; END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH;
    BEGIN TRY SAVE TRAN q; END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH;
    SELECT COUNT(*) FROM dbo.T;
END CATCH
GO
--! rows
--! 3930
--! rows
--! 3930
--! rows
--! 3931
--! rows
--! 0
--! error 3998
SET XACT_ABORT OFF;
GO
-- Procedures: the number of BEGINs and COMMITs, unless XACT_ABORT is ON; what they return after an error.
CREATE PROCEDURE dbo.Rolls AS ROLLBACK;
GO
CREATE PROCEDURE dbo.RollsQuietly AS SET XACT_ABORT ON; ROLLBACK;
GO
CREATE PROCEDURE dbo.Fails AS SELECT 1 / 0; RETURN;
GO
CREATE PROCEDURE dbo.FailsAndSays AS SELECT 1 / 0; RETURN 3;
GO
BEGIN TRAN;
EXEC dbo.Rolls;
SELECT @@ERROR, @@TRANCOUNT;
BEGIN TRAN;
EXEC dbo.RollsQuietly;
SELECT @@TRANCOUNT;
DECLARE @a int, @b int, @c int = 7;
EXEC @a = dbo.Fails;
EXEC @b = dbo.FailsAndSays;
EXEC @c = dbo.Nobody;
SELECT @a, @b, @c;
GO
--! error 266 state 2
--! rows
--! 266 | 0
--! rows
--! 0
--! error 8134
--! error 8134
--! error 2812
--! rows
--! -6 | 3 | 7
-- Arguments: too few, too many, unknown, of another type end the EXEC; any for a procedure without parameters the batch.
CREATE PROCEDURE dbo.Takes @a int AS PRINT @a;
GO
EXEC dbo.Takes;
EXEC dbo.Takes 1, 2;
EXEC dbo.Takes @b = 1;
EXEC dbo.Takes 'x';
EXEC dbo.Fails 1;
PRINT 'not reached';
GO
--! error 201
--! error 8144
--! error 8145
--! error 8114
--! error 8146
-- INSERT … EXEC: one transaction, which the procedure may not end; not one inside another.
CREATE TABLE dbo.Log (N int);
GO
CREATE PROCEDURE dbo.Commits AS BEGIN TRAN; INSERT dbo.Log VALUES (@@TRANCOUNT); COMMIT; SELECT @@TRANCOUNT;
GO
CREATE PROCEDURE dbo.CommitsMore AS COMMIT;
GO
CREATE PROCEDURE dbo.Nests AS DECLARE @t TABLE (n int); INSERT @t EXEC('SELECT 1'); SELECT n FROM @t;
GO
DECLARE @t TABLE (n int);
INSERT @t EXEC dbo.Commits;
SELECT (SELECT n FROM @t), (SELECT N FROM dbo.Log), @@TRANCOUNT;
INSERT @t EXEC dbo.CommitsMore;
INSERT @t EXEC dbo.Nests;
BEGIN TRAN;
INSERT dbo.Log VALUES (5);
INSERT @t EXEC dbo.Rolls;
PRINT 'not reached';
GO
--! rows
--! 1 | 2 | 0
--! error 3916
--! error 8164
--! error 3915
SELECT COUNT(*), @@TRANCOUNT FROM dbo.Log;
GO
--! rows
--! 1 | 0
-- THROW without arguments stands in a CATCH block, which the compiler sees.
PRINT 'not reached';
BEGIN TRY THROW; END TRY BEGIN CATCH PRINT 'not caught'; END CATCH
GO
--! error 10704 line 3
CREATE PROCEDURE dbo.Rethrows AS THROW;
GO
--! error 10704
-- RAISERROR: numbers, long texts, severities.
RAISERROR(12999, 16, 1);
GO
--! error 2732
RAISERROR(50000, 16, 1);
GO
--! error 2732
RAISERROR(50777, 12, 3);
GO
--! error 18054 text severity 12, state 3
RAISERROR('x', 19, 1);
GO
--! error 2754
DECLARE @m nvarchar(4000) = REPLICATE(N'a', 2048);
BEGIN TRY RAISERROR(@m, 16, 1); END TRY BEGIN CATCH SELECT LEN(ERROR_MESSAGE()), RIGHT(ERROR_MESSAGE(), 5); END CATCH
SET @m = REPLICATE(N'a', 2047);
BEGIN TRY RAISERROR(@m, 16, 1); END TRY BEGIN CATCH SELECT LEN(ERROR_MESSAGE()), RIGHT(ERROR_MESSAGE(), 5); END CATCH
GO
--! rows
--! 2047 | aa...
--! rows
--! 2047 | aaaaa
-- IMPLICIT_TRANSACTIONS: SELECT from a table, OPEN and FETCH begin one; SELECT without a table does not; BEGIN counts twice.
SET IMPLICIT_TRANSACTIONS ON;
SELECT 1; SELECT @@TRANCOUNT;
SELECT N FROM dbo.Log; SELECT @@TRANCOUNT; ROLLBACK;
DECLARE c CURSOR LOCAL STATIC FOR SELECT N FROM dbo.Log;
SELECT @@TRANCOUNT;
OPEN c; SELECT @@TRANCOUNT; ROLLBACK;
FETCH c; SELECT @@TRANCOUNT; ROLLBACK;
BEGIN TRAN; SELECT @@TRANCOUNT; ROLLBACK;
SET IMPLICIT_TRANSACTIONS OFF;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 2
--! rows
--! 1
--! rows
--! 0
--! rows
--! 1
--! rows
--! 2
--! rows
--! 1
--! rows
--! 2
-- XACT_ABORT of a procedure ends its callers' batch and transaction, whatever is set there; so in dynamic SQL.
CREATE PROCEDURE dbo.Aborts AS SET XACT_ABORT ON; BEGIN TRAN; INSERT dbo.Log VALUES (77); SELECT 1 / 0; COMMIT;
GO
CREATE PROCEDURE dbo.CallsAborts AS EXEC dbo.Aborts; PRINT 'not reached';
GO
EXEC dbo.CallsAborts;
PRINT 'not reached';
GO
--! error 8134
SELECT @@TRANCOUNT, (SELECT COUNT(*) FROM dbo.Log WHERE N = 77);
BEGIN TRAN;
EXEC ('SET XACT_ABORT ON; SELECT 1 / 0');
PRINT 'not reached';
GO
--! rows
--! 0 | 0
--! error 8134
SELECT @@TRANCOUNT;
BEGIN TRY EXEC dbo.CallsAborts; END TRY
BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_PROCEDURE(), XACT_STATE(), @@TRANCOUNT; ROLLBACK; END CATCH
GO
--! rows
--! 0
--! rows
--! 8134 | Aborts | -1 | 1
-- In a trigger XACT_ABORT is ON: an error that it catches has doomed the transaction, 3616; unless it says OFF.
CREATE TRIGGER dbo.Catches ON dbo.Log AFTER INSERT AS
BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH SELECT XACT_STATE(); END CATCH
GO
BEGIN TRAN;
INSERT dbo.Log VALUES (78);
PRINT 'not reached';
GO
--! rows
--! -1
--! error 3616
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
ALTER TRIGGER dbo.Catches ON dbo.Log AFTER INSERT AS
SET XACT_ABORT OFF;
BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH SELECT XACT_STATE(); END CATCH
GO
INSERT dbo.Log VALUES (79);
SELECT COUNT(*) FROM dbo.Log WHERE N = 79;
GO
--! rows
--! 1
--! rows
--! 1
-- At most 20 arguments.
RAISERROR('%s', 16, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21);
GO
--! error 2747
-- A procedure that a missing table ends with its transaction open: 266 stands behind, as at its ordinary end. A CATCH gets
-- the error itself; XACT_ABORT leaves nothing open.
CREATE PROCEDURE dbo.Opens AS
BEGIN TRAN;
SELECT * FROM dbo.Nowhere;
GO
CREATE PROCEDURE dbo.Closes AS
COMMIT;
SELECT * FROM dbo.Nowhere;
GO
CREATE PROCEDURE dbo.CallsOpens AS
EXEC dbo.Opens;
SELECT @@ERROR AS e;
ROLLBACK;
GO
CREATE PROCEDURE dbo.OpensNothing AS SELECT * FROM dbo.Nowhere;
GO
EXEC dbo.Opens;
SELECT @@ERROR, @@TRANCOUNT;
ROLLBACK;
BEGIN TRAN;
EXEC dbo.Closes;
SELECT @@TRANCOUNT;
EXEC dbo.CallsOpens;
EXEC dbo.OpensNothing;
PRINT 'goes on';
BEGIN TRY
    EXEC dbo.Opens;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), @@TRANCOUNT;
    ROLLBACK;
END CATCH
SET XACT_ABORT ON;
EXEC dbo.Opens;
GO
--! error 208 line 5
--! error 266 state 2
--! rows
--! 266 | 1
--! error 208 line 3
--! error 266 state 2
--! rows
--! 0
--! error 208 line 5
--! error 266 state 2
--! rows
--! 266
--! error 208
--! print goes on
--! rows
--! 208 | 1
--! error 208 line 5
SET XACT_ABORT OFF;
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
