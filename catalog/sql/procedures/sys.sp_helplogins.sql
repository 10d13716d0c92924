-- sp_helplogins: the logins, and their users with roles in every database.
CREATE PROCEDURE sys.sp_helplogins @LoginNamePattern sysname = NULL
AS
SET NOCOUNT ON;
IF @LoginNamePattern IS NOT NULL AND SUSER_ID(@LoginNamePattern) IS NULL
BEGIN
    RAISERROR (15007, -1, -1, @LoginNamePattern);
    RETURN (1);
END;
CREATE TABLE #users (LoginName sysname, DBName sysname, UserName sysname, UserOrAlias varchar(8));
DECLARE @text nvarchar(max);
SELECT @text = STRING_AGG(CAST(N'
    SELECT SUSER_SNAME(u.sid), N' + QUOTENAME(d.name, '''') + N', u.name, ''User'' FROM ' + QUOTENAME(d.name) + N'.sys.database_principals AS u
    WHERE u.type <> ''R'' AND u.sid IS NOT NULL
    UNION ALL
    SELECT SUSER_SNAME(u.sid), N' + QUOTENAME(d.name, '''') + N', r.name, ''MemberOf'' FROM ' + QUOTENAME(d.name) + N'.sys.database_principals AS u
    JOIN ' + QUOTENAME(d.name) + N'.sys.database_role_members AS m ON m.member_principal_id = u.principal_id
    JOIN ' + QUOTENAME(d.name) + N'.sys.database_principals AS r ON r.principal_id = m.role_principal_id
    WHERE u.type <> ''R'' AND u.sid IS NOT NULL' AS nvarchar(max)), N' UNION ALL ')
FROM sys.databases AS d WHERE d.state = 0 AND HAS_DBACCESS(d.name) = 1;
SET @text = N'INSERT #users SELECT LoginName, DBName, UserName, UserOrAlias FROM (' + @text
    + N') AS x (LoginName, DBName, UserName, UserOrAlias) WHERE LoginName IS NOT NULL AND (@name IS NULL OR LoginName = @name)';
EXEC sys.sp_executesql @text, N'@name sysname', @name = @LoginNamePattern;
SELECT p.name AS LoginName, p.sid AS SID, p.default_database_name AS DefDBName, p.default_language_name AS DefLangName,
    CAST(IIF(EXISTS (SELECT * FROM #users AS u WHERE u.LoginName = p.name AND u.UserOrAlias = 'User'), 'yes', 'NO') AS char(5)) AS AUser,
    CAST(IIF(p.name LIKE '%\%', 'yes', 'no') AS char(7)) AS ARemote
FROM sys.server_principals AS p WHERE p.type IN ('S', 'U', 'C') AND (@LoginNamePattern IS NULL OR p.name = @LoginNamePattern) ORDER BY p.name;
SELECT LoginName, DBName, UserName, CAST(UserOrAlias AS char(8)) AS UserOrAlias FROM #users ORDER BY LoginName, DBName, UserOrAlias, UserName
