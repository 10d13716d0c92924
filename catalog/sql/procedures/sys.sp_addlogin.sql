-- sp_addlogin: CREATE LOGIN with a password, in the words of old scripts.
CREATE PROCEDURE sys.sp_addlogin @loginame sysname, @passwd sysname = NULL, @defdb sysname = NULL, @deflanguage sysname = NULL, @sid varbinary(16) = NULL,
    @encryptopt varchar(20) = NULL
AS
-- part: no_transaction
DECLARE @code int, @text nvarchar(max);
EXEC @code = sys.sp_validname @loginame;
IF @code <> 0
    RETURN (1);
IF @defdb IS NOT NULL AND DB_ID(@defdb) IS NULL
BEGIN
    RAISERROR (15010, -1, -1, @defdb);
    RETURN (1);
END;
SET @text = N'CREATE LOGIN ' + QUOTENAME(@loginame) + N' WITH PASSWORD = N''' + REPLACE(ISNULL(@passwd, N''), N'''', N'''''') + N''', CHECK_POLICY = OFF'
    + ISNULL(N', SID = ' + CONVERT(nvarchar(40), @sid, 1), N'') + ISNULL(N', DEFAULT_DATABASE = ' + QUOTENAME(@defdb), N'') + ISNULL(N', DEFAULT_LANGUAGE = ' + QUOTENAME(@deflanguage), N'');
EXEC (@text)
