-- A batch or module may make a #table of one name in one place only, whichever place runs: it is refused before anything of it runs.
PRINT 'not reached';
IF 1 = 0
    CREATE TABLE #t (a int);
ELSE
    CREATE TABLE #T (b int);
GO
--! error 2714 severity 16 state 1 line 6
CREATE TABLE #t (a int);
DROP TABLE #t;
CREATE TABLE #t (b int);
GO
--! error 2714 line 3
SELECT 1 AS a INTO #t;
DROP TABLE #t;
SELECT 1 AS b INTO #t;
GO
--! error 2714 line 3
CREATE TABLE #t (a int); DROP TABLE #t;
SELECT 1 AS b INTO #t;
GO
--! error 2714 line 2
CREATE PROCEDURE p AS
CREATE TABLE #t (a int);
DROP TABLE #t;
CREATE TABLE #t (b int);
GO
--! error 2714 line 4
SELECT OBJECT_ID('p'), OBJECT_ID('tempdb..#t');
GO
--! rows
--! NULL | NULL
EXEC ('CREATE TABLE #t (a int); DROP TABLE #t; CREATE TABLE #t (a int)');
SELECT 'goes on', @@ERROR;
GO
--! error 2714
--! rows
--! goes on | 2714

-- One place that runs several times, another batch, and a text of its own are something else; so are tables that stay.
DECLARE @i int = 0;
WHILE @i < 3
BEGIN
    CREATE TABLE #t (a int);
    DROP TABLE #t;
    SET @i += 1;
END;
SELECT @i;
GO
--! rows
--! 3
CREATE TABLE #t (a int);
EXEC ('CREATE TABLE #t (b int); SELECT * FROM #t');
DROP TABLE #t;
GO
--! rows
CREATE TABLE #t (c int);
DROP TABLE #t;
GO
CREATE TABLE kept (a int);
DROP TABLE kept;
CREATE TABLE kept (b int);
DROP TABLE kept;
SELECT 1 AS c INTO kept;
SELECT c FROM kept;
GO
--! rows
--! 1
