-- sp_dropsrvrolemember: ALTER SERVER ROLE … DROP MEMBER, in the words of old scripts.
CREATE PROCEDURE sys.sp_dropsrvrolemember @loginame sysname, @rolename sysname
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code = 0
    EXEC @code = sys.sp_validname @rolename;
IF @code <> 0
    RETURN (1);
SET @text = N'ALTER SERVER ROLE ' + QUOTENAME(@rolename) + N' DROP MEMBER ' + QUOTENAME(@loginame);
EXEC (@text)
