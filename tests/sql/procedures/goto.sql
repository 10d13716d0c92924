-- GOTO goes out of blocks, loops and TRY, and into all but TRY and CATCH.
WHILE 1 = 1
BEGIN
    BEGIN TRY
        GOTO done;
    END TRY
    BEGIN CATCH
        PRINT 'caught';
    END CATCH
END
done:
PRINT 'done';
SELECT 1 / 0;
PRINT 'after';
GO
--! print done
--! error 8134 line 13
--! print after
GOTO inside;
BEGIN TRY
    inside: PRINT 'in';
END TRY
BEGIN CATCH
    PRINT 'caught';
END CATCH
GO
--! error 1026 line 1
GOTO inside;
IF 1 = 0
BEGIN
    inside: PRINT 'in';
END
PRINT 'after';
GO
--! print in
--! print after
-- Into a loop: the rest of that round, then the condition; BREAK and CONTINUE are the loop's.
DECLARE @i int = 0, @way varchar(100) = '';
GOTO middle;
WHILE @i < 3
BEGIN
    SET @way += CONCAT('<', @i);
    IF @i = 2 BREAK;
    middle:
    SET @way += CONCAT(@i, '>');
    SET @i += 1;
    IF @i = 1 CONTINUE;
    SET @way += '.';
END
SELECT @way;
GO
--! rows
--! 0><11>.<2
-- Several blocks deep, out of one and into another, backwards, past an ELSE, through statements that wait.
CREATE TABLE dbo.Way (Step int IDENTITY, What varchar(10));
DECLARE @n int = 0;
GOTO deep;
IF @n = 99
BEGIN
    IF (SELECT COUNT(*) FROM dbo.Way) = 99
    BEGIN
        INSERT dbo.Way VALUES ('never');
        deep:
        INSERT dbo.Way VALUES ('deep');
        WAITFOR DELAY '00:00:01';
        SET @n += 1;
        IF @n < 3 GOTO other;
    END
    INSERT dbo.Way VALUES ('behind');
END
ELSE
BEGIN
    INSERT dbo.Way VALUES ('never');
    other:
    INSERT dbo.Way VALUES ('other');
    WHILE 1 = 1
    BEGIN
        BEGIN GOTO deep; END
    END
END
SELECT What FROM dbo.Way ORDER BY Step;
GO
--! rows
--! deep
--! other
--! deep
--! other
--! deep
--! behind
-- Inside of a TRY block; what fails there is caught.
BEGIN TRY
    GOTO inside;
    IF 1 = 0
    BEGIN
        inside: SELECT 1 / 0;
        PRINT 'not here';
    END
END TRY
BEGIN CATCH
    PRINT ERROR_NUMBER();
    GOTO last;
    IF 1 = 0 BEGIN PRINT 'not here'; last: PRINT 'last'; END
END CATCH
GO
--! print 8134
--! print last
CREATE PROCEDURE dbo.Jumps @from int AS
IF @from = 1 GOTO one;
IF @from = 2 GOTO two;
RETURN 0;
BEGIN
    one: PRINT 'one';
    BEGIN
        two: PRINT 'two';
    END
END
RETURN 5;
GO
DECLARE @r int;
EXEC @r = dbo.Jumps 1;
EXEC @r = dbo.Jumps 2;
PRINT @r;
GO
--! print one
--! print two
--! print two
--! print 5
GOTO nowhere;
GO
--! error 133 line 1
same: PRINT 'a';
BEGIN
    same: PRINT 'b';
END
GO
--! error 132 line 3
