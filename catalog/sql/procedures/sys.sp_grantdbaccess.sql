-- sp_grantdbaccess: CREATE USER … FOR LOGIN, in the words of old scripts.
CREATE PROCEDURE sys.sp_grantdbaccess @loginame sysname, @name_in_db sysname = NULL OUTPUT
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code <> 0
    RETURN (1);
SET @name_in_db = ISNULL(@name_in_db, @loginame);
SET @text = IIF(LOWER(@loginame) = N'guest', N'GRANT CONNECT TO guest', N'CREATE USER ' + QUOTENAME(@name_in_db) + N' FOR LOGIN ' + QUOTENAME(@loginame));
EXEC (@text)
