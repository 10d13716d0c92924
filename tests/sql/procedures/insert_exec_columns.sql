-- INSERT … EXEC takes result sets of its own number of columns. One that has another is 213 where it is made: in the procedure, at its line; the batch ends, and nothing is inserted.
CREATE TABLE t (a int, b int);
GO
CREATE PROCEDURE p AS
SELECT 1, 2;
PRINT 'before';
SELECT 1;
PRINT 'after';
GO
INSERT t EXEC p;
SELECT 'not reached';
GO
--! print before
--! error 213 severity 16 state 7 line 4
SELECT COUNT(*), @@TRANCOUNT FROM t;
GO
--! rows
--! 0 | 0
INSERT t EXEC ('SELECT 1, 2;

SELECT 3');
GO
--! error 213 state 7 line 3
INSERT t (a)
EXEC sp_executesql N'SELECT 1, 2';
GO
--! error 213 state 7 line 1
BEGIN TRY
    INSERT t EXEC p;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE();
END CATCH;
GO
--! rows
--! 213 | 7 | 4 | p
DECLARE @v TABLE (a int);
INSERT @v EXEC ('SELECT 1; SELECT 2 AS x, 3 AS y FOR XML PATH');
SELECT a FROM @v;
GO
--! error 245
CREATE PROCEDURE q AS SELECT 7 AS a, 8 AS b; SELECT a, b FROM (VALUES (1, 2), (3, 4)) AS s (a, b); SELECT a, b FROM t WHERE 1 = 0;
GO
INSERT t (b, a) EXEC q;
SELECT a, b FROM t ORDER BY a;
GO
--! rows
--! 2 | 1
--! 4 | 3
--! 8 | 7
