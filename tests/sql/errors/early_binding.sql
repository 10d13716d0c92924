-- A batch is compiled before it runs: a statement whose tables exist is bound then, and its wrong names keep the whole batch
-- from running. What names a table that is not there yet waits until it runs (deferred name resolution).
CREATE TABLE dbo.T (a int);
INSERT dbo.T VALUES (1);
GO
PRINT 'no';
SELECT missing FROM dbo.T;
GO
--! error 207 line 2
INSERT dbo.T VALUES (2);
IF 1 = 0 UPDATE dbo.T SET missing = 1;
RETURN;
GO
--! error 207 line 2
INSERT dbo.T VALUES (2);
RETURN;
DELETE dbo.T WHERE missing = 1;
GO
--! error 207 line 3
INSERT dbo.T VALUES (2);
INSERT dbo.T VALUES (3, 4);
GO
--! error 213 line 2
DECLARE @x int = 1;
INSERT dbo.T VALUES (2);
SET @x = (SELECT missing FROM dbo.T);
WHILE EXISTS (SELECT missing FROM dbo.T) BREAK;
GO
--! error 207 line 3
SELECT a, COUNT(*) FROM dbo.T;
GO
--! error 8120
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! 1
-- The column is made by the same batch: too late, as everybody finds out once.
ALTER TABLE dbo.T ADD b int;
UPDATE dbo.T SET b = 1;
GO
--! error 207 line 3
ALTER TABLE dbo.T ADD b int;
EXEC ('UPDATE dbo.T SET b = a');
GO
SELECT b FROM dbo.T;
GO
--! rows
--! 1
-- A table of the same batch is bound when its statement runs.
PRINT 'yes';
CREATE TABLE dbo.U (a int);
SELECT missing FROM dbo.U;
PRINT 'ends the batch';
GO
--! print yes
--! error 207 line 4
PRINT 'yes';
SELECT missing FROM dbo.Nowhere;
GO
--! print yes
--! error 208 line 2
PRINT 'yes';
SELECT t.missing FROM dbo.T AS t JOIN dbo.Nowhere AS n ON n.a = t.a;
GO
--! print yes
--! error 208 line 2
-- TRY does not catch what its own batch is refused for; it catches what an inner one is refused for.
BEGIN TRY
    PRINT 'no';
    SELECT missing FROM dbo.T;
END TRY
BEGIN CATCH
    PRINT 'no';
END CATCH
GO
--! error 207 line 4
BEGIN TRY
    EXEC ('PRINT ''no''; SELECT missing FROM dbo.T');
END TRY
BEGIN CATCH
    PRINT ERROR_NUMBER();
END CATCH
GO
--! print 207
-- Modules are bound when they are created, as far as their tables are there.
CREATE PROCEDURE dbo.P AS SELECT missing FROM dbo.T;
GO
--! error 207
CREATE PROCEDURE dbo.P AS
    PRINT 'started';
    SELECT missing FROM dbo.Later;
    PRINT 'not reached';
GO
EXEC dbo.P;
PRINT 'goes on';
GO
--! print started
--! error 208 line 3
--! print goes on
CREATE FUNCTION dbo.F (@n int) RETURNS int AS
BEGIN
    IF @n <= 1 RETURN 1;
    RETURN @n * dbo.F(@n - 1) + (SELECT COUNT(missing) FROM dbo.T);
END
GO
--! error 207 line 4
CREATE TRIGGER dbo.G ON dbo.T AFTER INSERT AS SELECT missing FROM dbo.T;
GO
--! error 207
CREATE TRIGGER dbo.G ON dbo.T AFTER INSERT AS SELECT a FROM inserted;
GO
INSERT dbo.T (a) VALUES (7);
GO
--! rows
--! 7
-- After USE names mean something else.
CREATE DATABASE Other;
GO
EXEC ('USE Other; CREATE TABLE dbo.T (c int); INSERT dbo.T VALUES (5)');
GO
USE Other;
SELECT c FROM dbo.T;
GO
--! rows
--! 5
-- What is wrong with the text of a dynamic batch ends that batch; the caller goes on.
USE master;
GO
EXEC ('PRINT ''no''; SELECT FROM');
PRINT 'one';
EXEC ('PRINT ''no''; SELECT missing FROM dbo.T');
PRINT 'two';
EXEC sp_executesql N'PRINT ''no''; SELECT @undeclared';
PRINT 'three';
GO
--! error 156
--! print one
--! error 207
--! print two
--! error 137
--! print three
BEGIN TRANSACTION;
BEGIN TRY EXEC ('SELEC FROM') END TRY BEGIN CATCH PRINT CONCAT(ERROR_NUMBER(), ' ', XACT_STATE()) END CATCH
ROLLBACK;
GO
--! print 156 1
-- A view of a queue is told in the statement that writes to it, and so is one of a view that cannot be updated.
CREATE QUEUE dbo.Q;
GO
CREATE VIEW dbo.VQ AS SELECT status FROM dbo.Q;
GO
CREATE VIEW dbo.VG AS

SELECT COUNT(*) AS n FROM dbo.T;
GO
CREATE VIEW dbo.VVG AS
SELECT n FROM dbo.VG;
GO
PRINT 'no';
SELECT 1 AS a;
DELETE dbo.VQ;
GO
--! error 416 line 3
PRINT 'no';

UPDATE dbo.VVG SET
    n = 1;
GO
--! error 4403 line 3
CREATE PROCEDURE dbo.W AS
PRINT 'no';
DELETE dbo.VQ;
GO
--! error 416 line 3
BEGIN TRY
    EXEC ('PRINT ''no'';
        DELETE dbo.VQ');
END TRY
BEGIN CATCH
    PRINT CONCAT(ERROR_NUMBER(), ' ', ERROR_LINE());
END CATCH
GO
--! print 416 2
BEGIN TRANSACTION;
INSERT dbo.T (a) VALUES (8);
DELETE dbo.Q;
GO
--! error 416 line 3
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
