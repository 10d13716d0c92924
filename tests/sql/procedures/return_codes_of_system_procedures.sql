-- A system procedure that fails says so by its return code, too, where no TRY takes its error: the usual test of sp_getapplock is IF @r < 0.
DECLARE @r int = 5;
EXEC @r = sp_getapplock 'r', 'Exclusive';
PRINT @r;
EXEC @r = sp_getapplock 'r', 'nosuch', 'Session';
PRINT @r;
EXEC @r = sp_getapplock 'r', 'Exclusive', 'nobody';
PRINT @r;
EXEC @r = sp_getapplock 'r', 'Exclusive', 'Session';
PRINT @r;
GO
--! error 3918
--! print -999
--! error 15600
--! print -999
--! error 15600
--! print -999
--! print 0
DECLARE @r int = 5;
EXEC @r = sp_releaseapplock 'x', 'Session';
PRINT @r;
EXEC @r = sp_releaseapplock 'r', 'Session';
PRINT @r;
GO
--! error 1223
--! print -999
--! print 0
DECLARE @r int = 5;
EXEC @r = sp_rename 'nope', 'x';
PRINT @r;
SET @r = 5;
EXEC @r = sp_helptext 'nope';
PRINT @r;
SET @r = 5;
EXEC @r = sp_addmessage 10, 16, N'too low';
PRINT @r;
GO
--! error 15225
--! print 1
--! error 15009
--! print 1
--! error 15040
--! print 1
-- That of sp_executesql is the number of the last error in its text, whatever has ended it.
DECLARE @r int = 5;
EXEC @r = sp_executesql N'SELECT 1 / 0';
PRINT @r;
EXEC @r = sp_executesql N'SELECT * FROM nosuch';
PRINT @r;
EXEC @r = sp_executesql N'SELEC';
PRINT @r;
EXEC @r = sp_executesql N'SELEC 1 +';
PRINT @r;
EXEC @r = sp_executesql N'DECLARE @i int = 1';
PRINT @r;
GO
--! error 8134
--! print 8134
--! error 208
--! print 208
--! error 2812
--! print 2812
--! error 102
--! print 102
--! print 0
-- Arguments that do not fit call nothing; and of an error that goes to a CATCH, the variable has nothing.
DECLARE @r int = 5;
EXEC @r = sp_getapplock;
PRINT @r;
EXEC @r = sp_executesql;
PRINT @r;
BEGIN TRY
    EXEC @r = sp_getapplock 'r', 'Exclusive';
END TRY
BEGIN CATCH
    PRINT CONCAT(ERROR_NUMBER(), ' ', @r);
END CATCH
GO
--! error 201
--! print 5
--! error 201
--! print 5
--! print 3918 5
-- In a procedure as in a batch.
CREATE PROCEDURE p AS
    DECLARE @r int;
    EXEC @r = sp_releaseapplock 'x', 'Session';
    IF @r < 0 RETURN @r;
    RETURN 1;
GO
DECLARE @r int;
EXEC @r = p;
PRINT @r;
GO
--! error 1223
--! print -999
