-- sp_helpuser: the users of the database with their roles; of a role, its members.
CREATE PROCEDURE sys.sp_helpuser @name_in_db sysname = NULL
AS
IF @name_in_db IS NOT NULL AND DATABASE_PRINCIPAL_ID(@name_in_db) IS NULL
BEGIN
    RAISERROR (15198, -1, -1, @name_in_db);
    RETURN (1);
END;
IF EXISTS (SELECT * FROM sys.database_principals WHERE type = 'R' AND name = @name_in_db)
BEGIN
    SELECT r.name AS Role_name, r.principal_id AS Role_id, u.name AS Users_in_role, u.principal_id AS Userid
    FROM sys.database_role_members AS m
    JOIN sys.database_principals AS r ON r.principal_id = m.role_principal_id
    JOIN sys.database_principals AS u ON u.principal_id = m.member_principal_id
    WHERE r.name = @name_in_db ORDER BY Users_in_role;
    RETURN (0);
END;
SELECT u.name AS UserName, ISNULL(r.name, 'public') AS RoleName, SUSER_SNAME(u.sid) AS LoginName,
    CASE WHEN SUSER_SNAME(u.sid) IS NULL THEN NULL ELSE (SELECT p.default_database_name FROM sys.server_principals AS p WHERE p.sid = u.sid) END
        AS DefDBName,
    u.default_schema_name AS DefSchemaName, CAST(u.principal_id AS char(10)) AS UserID, u.sid AS SID
FROM sys.database_principals AS u
LEFT JOIN sys.database_role_members AS m ON m.member_principal_id = u.principal_id
LEFT JOIN sys.database_principals AS r ON r.principal_id = m.role_principal_id
WHERE u.type <> 'R' AND (@name_in_db IS NULL OR u.name = @name_in_db) ORDER BY UserName, RoleName
