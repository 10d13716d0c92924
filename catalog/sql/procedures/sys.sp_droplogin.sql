-- sp_droplogin: DROP LOGIN, in the words of old scripts, of one that no user of a database belongs to.
CREATE PROCEDURE sys.sp_droplogin @loginame sysname
AS
-- part: no_transaction
DECLARE @sid varbinary(85) = (SELECT sid FROM sys.server_principals WHERE name = @loginame AND type <> 'R'), @text nvarchar(max), @users int;
IF @sid IS NULL
BEGIN
    RAISERROR (15007, -1, -1, @loginame);
    RETURN (1);
END;
SELECT @text = ISNULL(@text + N' + ', N'SELECT @users = ') + N'(SELECT COUNT(*) FROM ' + QUOTENAME(name) + N'.sys.database_principals WHERE sid = @sid AND principal_id <> 1)'
FROM sys.databases WHERE HAS_DBACCESS(name) = 1;
EXEC sp_executesql @text, N'@sid varbinary(85), @users int OUTPUT', @sid, @users OUTPUT;
IF @users > 0
BEGIN
    RAISERROR (15175, -1, -1, @loginame);
    RETURN (1);
END;
SET @text = N'DROP LOGIN ' + QUOTENAME(@loginame);
EXEC (@text)
