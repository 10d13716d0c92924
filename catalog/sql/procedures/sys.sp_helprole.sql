-- sp_helprole: the roles of the database, or one.
CREATE PROCEDURE sys.sp_helprole @rolename sysname = NULL
AS
IF @rolename IS NOT NULL AND NOT EXISTS (SELECT * FROM sys.database_principals WHERE type = 'R' AND name = @rolename)
BEGIN
    RAISERROR (15409, -1, -1, @rolename);
    RETURN (1);
END;
SELECT r.name AS RoleName, r.principal_id AS RoleId, 0 AS IsAppRole FROM sys.database_principals AS r
WHERE r.type = 'R' AND (@rolename IS NULL OR r.name = @rolename) ORDER BY RoleId
