-- sp_addsrvrolemember: ALTER SERVER ROLE … ADD MEMBER, in the words of old scripts.
CREATE PROCEDURE sys.sp_addsrvrolemember @loginame sysname, @rolename sysname
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code = 0
    EXEC @code = sys.sp_validname @rolename;
IF @code <> 0
    RETURN (1);
SET @text = N'ALTER SERVER ROLE ' + QUOTENAME(@rolename) + N' ADD MEMBER ' + QUOTENAME(@loginame);
EXEC (@text)
