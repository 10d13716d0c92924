-- sp_helpsrvrolemember: who is in the roles of the server.
CREATE PROCEDURE sys.sp_helpsrvrolemember @srvrolename sysname = NULL
AS
IF @srvrolename IS NOT NULL AND NOT EXISTS (SELECT * FROM sys.server_principals WHERE type = 'R' AND name = @srvrolename)
BEGIN
    RAISERROR (15409, -1, -1, @srvrolename);
    RETURN (1);
END;
SELECT r.name AS ServerRole, m.name AS MemberName, m.sid AS MemberSID
FROM (SELECT role_principal_id, member_principal_id FROM sys.server_role_members UNION SELECT SUSER_ID('sysadmin'), SUSER_ID('sa')) AS x
JOIN sys.server_principals AS r ON r.principal_id = x.role_principal_id OR r.name = 'sysadmin' AND x.role_principal_id IS NULL
JOIN sys.server_principals AS m ON m.principal_id = x.member_principal_id
WHERE @srvrolename IS NULL OR r.name = @srvrolename ORDER BY ServerRole, MemberName
