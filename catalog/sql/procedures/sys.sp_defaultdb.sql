-- sp_defaultdb: ALTER LOGIN … WITH DEFAULT_DATABASE, in the words of old scripts.
CREATE PROCEDURE sys.sp_defaultdb @loginame sysname, @defdb sysname
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code <> 0
    RETURN (1);
IF DB_ID(@defdb) IS NULL
BEGIN
    RAISERROR (15010, -1, -1, @defdb);
    RETURN (1);
END;
SET @text = N'ALTER LOGIN ' + QUOTENAME(@loginame) + N' WITH DEFAULT_DATABASE = ' + QUOTENAME(@defdb);
EXEC (@text)
