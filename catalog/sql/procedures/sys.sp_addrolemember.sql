-- sp_addrolemember: ALTER ROLE … ADD MEMBER, in the words of old scripts.
CREATE PROCEDURE sys.sp_addrolemember @rolename sysname, @membername sysname
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @rolename;
IF @code = 0
    EXEC @code = sys.sp_validname @membername;
IF @code <> 0
    RETURN (1);
SET @text = N'ALTER ROLE ' + QUOTENAME(@rolename) + N' ADD MEMBER ' + QUOTENAME(@membername);
EXEC (@text)
