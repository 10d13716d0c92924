-- sp_addrole: CREATE ROLE, in the words of old scripts.
CREATE PROCEDURE sys.sp_addrole @rolename sysname, @ownername sysname = NULL
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @rolename;
IF @code <> 0
    RETURN (1);
SET @text = N'CREATE ROLE ' + QUOTENAME(@rolename) + ISNULL(N' AUTHORIZATION ' + QUOTENAME(@ownername), N'');
EXEC (@text)
