-- sp_helpsrvrole: the fixed roles of the server, or one.
CREATE PROCEDURE sys.sp_helpsrvrole @srvrolename sysname = NULL
AS
SET NOCOUNT ON;
DECLARE @roles TABLE (n int, name nvarchar(35), description nvarchar(35));
INSERT @roles VALUES
    (1, N'sysadmin', N'System Administrators'), (2, N'securityadmin', N'Security Administrators'), (3, N'serveradmin', N'Server Administrators'),
    (4, N'setupadmin', N'Setup Administrators'), (5, N'processadmin', N'Process Administrators'), (6, N'diskadmin', N'Disk Administrators'),
    (7, N'dbcreator', N'Database Creators'), (8, N'bulkadmin', N'Bulk Insert Administrators');
IF @srvrolename IS NOT NULL AND NOT EXISTS (SELECT * FROM @roles WHERE name = @srvrolename)
BEGIN
    RAISERROR (15409, -1, -1, @srvrolename);
    RETURN (1);
END;
SET NOCOUNT OFF;
SELECT name AS ServerRole, description AS Description FROM @roles WHERE @srvrolename IS NULL OR name = @srvrolename ORDER BY n
