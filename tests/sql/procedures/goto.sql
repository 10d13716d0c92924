-- GOTO goes out of blocks, loops and TRY, never into them.
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
GO
--! error 40517 line 1
GOTO nowhere;
GO
--! error 133 line 1
same: PRINT 'a';
BEGIN
    same: PRINT 'b';
END
GO
--! error 132 line 3
