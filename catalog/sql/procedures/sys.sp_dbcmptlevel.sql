-- sp_dbcmptlevel: ALTER DATABASE … SET COMPATIBILITY_LEVEL, or the level as a message, in the words of old scripts.
CREATE PROCEDURE sys.sp_dbcmptlevel @dbname sysname = NULL, @new_cmptlevel tinyint = NULL OUTPUT
AS
DECLARE @level tinyint = (SELECT compatibility_level FROM sys.databases WHERE name = ISNULL(@dbname, DB_NAME())), @text nvarchar(max);
IF @level IS NULL
BEGIN
    RAISERROR (15010, -1, -1, @dbname);
    RETURN (1);
END;
IF @new_cmptlevel IS NULL
BEGIN
    SET @new_cmptlevel = @level;
    PRINT N'The current compatibility level is ' + CAST(@level AS nvarchar(3)) + N'.';
    RETURN (0);
END;
-- part: no_transaction
SET @text = N'ALTER DATABASE ' + QUOTENAME(ISNULL(@dbname, DB_NAME())) + N' SET COMPATIBILITY_LEVEL = ' + CAST(@new_cmptlevel AS nvarchar(3));
EXEC (@text)
