-- IDENTITYCOL, IDENTITY (…) of SELECT INTO, IS DISTINCT FROM, DEFAULT as an argument, EXECUTE of a function, WITH
-- RESULT SETS: what they do.
CREATE TABLE i (id int IDENTITY(5,5), g uniqueidentifier ROWGUIDCOL DEFAULT '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    v int); INSERT i (v) VALUES (1), (2);
GO
SELECT $IDENTITY, i.$ROWGUID, IDENTITYCOL AS x FROM i WHERE $IDENTITY > 5 ORDER BY IDENTITYCOL
GO
--! rows
--! 10 | 6F9619FF-8B86-D011-B42D-00C04FC964FF | 10
SELECT x.IDENTITYCOL, ROWGUIDCOL FROM i AS x
GO
--! rows
--! 5 | 6F9619FF-8B86-D011-B42D-00C04FC964FF
--! 10 | 6F9619FF-8B86-D011-B42D-00C04FC964FF
SELECT $IDENTITY FROM sys.objects
GO
--! error 207
SELECT IDENTITY(smallint, 10, -2) AS n, v INTO c FROM i ORDER BY v DESC; SELECT * FROM c; INSERT c (v) VALUES (9);
    SELECT * FROM c; SELECT COLUMNPROPERTY(OBJECT_ID('c'), 'n', 'IsIdentity')
GO
--! rows
--! 10 | 2
--! 8 | 1
--! rows
--! 10 | 2
--! 8 | 1
--! 6 | 9
--! rows
--! 1
SELECT IDENTITY(int) AS n, v INTO #c FROM i; SELECT * FROM #c
GO
--! rows
--! 1 | 1
--! 2 | 2
SELECT IDENTITY(int, 1, 1) AS n, id INTO d FROM i
GO
--! error 8108
SELECT IIF(NULL IS DISTINCT FROM NULL, 1, 0), IIF(1 IS DISTINCT FROM NULL, 1, 0), IIF(1 IS NOT DISTINCT FROM 1, 1,
    0), IIF(NULL IS NOT DISTINCT FROM NULL, 1, 0), IIF(1 IS DISTINCT FROM 2, 1, 0)
GO
--! rows
--! 0 | 1 | 1 | 1 | 1
SELECT a.v FROM i AS a JOIN i AS b ON a.v IS NOT DISTINCT FROM b.v ORDER BY 1
GO
--! rows
--! 1
--! 2
CREATE FUNCTION dbo.f (@a int = 3, @b int) RETURNS int AS BEGIN RETURN @a * 10 + @b END
GO
SELECT dbo.f(DEFAULT, 1), dbo.f(2, v) FROM i
GO
--! rows
--! 31 | 21
--! 31 | 22
SELECT dbo.f(DEFAULT, v) FROM i ORDER BY v
GO
--! rows
--! 31
--! 32
DECLARE @r int; EXEC @r = dbo.f @b = 4; SELECT @r; EXEC @r = dbo.f 1, 2; SELECT @r; EXEC dbo.f 1, 2
GO
--! rows
--! 34
--! rows
--! 12
SELECT dbo.f(1, DEFAULT)
GO
--! error 313
DECLARE @r int; EXEC @r = dbo.f 1
GO
--! error 201
CREATE PROC p AS SELECT 1, 'abc'; PRINT 'x'; SELECT 2
GO
EXEC p WITH RESULT SETS ((a bigint, b nvarchar(2) NOT NULL), (c varchar(5)))
GO
--! rows
--! 1 | ab
--! rows
--! 2
EXEC p WITH RESULT SETS ((a bigint, b uniqueidentifier), (c varchar(5)))
GO
--! error 8169
EXEC p WITH RESULT SETS ((a xml, b int), (c varchar(5)))
GO
--! rows
--! 2
--! error 11538
BEGIN TRY EXEC p WITH RESULT SETS ((a int, b varchar(3))) END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH
GO
--! rows
--! 1 | abc
--! rows
--! 11535
EXEC ('SELECT NULL AS q') WITH RESULT SETS ((a int NOT NULL))
GO
--! error 11553
EXEC sp_executesql N'SELECT 1 AS q' WITH RESULT SETS ((renamed int))
GO
--! rows
--! 1
