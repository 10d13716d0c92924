-- sp_adduser: CREATE USER … FOR LOGIN with a schema of its name, in the words of old scripts.
CREATE PROCEDURE sys.sp_adduser @loginame sysname, @name_in_db sysname = NULL, @grpname sysname = NULL
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code <> 0
    RETURN (1);
SET @name_in_db = ISNULL(@name_in_db, @loginame);
IF LOWER(@loginame) = N'guest'
BEGIN
    GRANT CONNECT TO guest;
    RETURN (0);
END;
SET @text = N'CREATE USER ' + QUOTENAME(@name_in_db) + N' FOR LOGIN ' + QUOTENAME(@loginame) + N' WITH DEFAULT_SCHEMA = ' + QUOTENAME(@name_in_db);
EXEC (@text);
IF @@ERROR <> 0
    RETURN (1);
SET @text = N'CREATE SCHEMA ' + QUOTENAME(@name_in_db) + N' AUTHORIZATION ' + QUOTENAME(@name_in_db);
EXEC (@text);
IF @@ERROR <> 0
    RETURN (1);
IF @grpname IS NOT NULL
BEGIN
    SET @text = N'ALTER ROLE ' + QUOTENAME(@grpname) + N' ADD MEMBER ' + QUOTENAME(@name_in_db);
    EXEC (@text);
END
