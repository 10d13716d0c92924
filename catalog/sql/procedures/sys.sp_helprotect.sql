-- sp_helprotect: permissions on objects and for statements, by object, grantee, grantor. @permissionarea: o, s or both.
CREATE PROCEDURE sys.sp_helprotect
    @name nvarchar(776) = NULL, @username sysname = NULL, @grantorname sysname = NULL, @permissionarea varchar(10) = 'o s'
AS
SET NOCOUNT ON;
IF CHARINDEX('o', LOWER(@permissionarea)) = 0 AND CHARINDEX('s', LOWER(@permissionarea)) = 0
BEGIN
    RAISERROR (15300, -1, -1, @permissionarea);
    RETURN (1);
END;
SELECT ISNULL(SCHEMA_NAME(o.schema_id), '.') AS Owner, ISNULL(o.name, '.') AS Object, USER_NAME(p.grantee_principal_id) AS Grantee,
    USER_NAME(p.grantor_principal_id) AS Grantor,
    CAST(CASE p.state WHEN 'D' THEN 'Deny' WHEN 'W' THEN 'Grant_WGO' ELSE 'Grant' END AS char(10)) AS ProtectType,
    CAST(UPPER(LEFT(p.permission_name, 1)) + LOWER(SUBSTRING(p.permission_name, 2, 60)) AS nvarchar(60)) AS [Action],
    CASE WHEN p.class = 0 OR o.type NOT IN ('U', 'V') OR p.permission_name NOT IN ('SELECT', 'UPDATE', 'REFERENCES') THEN '.'
        WHEN p.minor_id = 0 THEN '(All+New)' ELSE COL_NAME(p.major_id, p.minor_id) END AS [Column]
INTO #found FROM sys.database_permissions AS p LEFT JOIN sys.objects AS o ON p.class = 1 AND o.object_id = p.major_id
WHERE p.class IN (0, 1) AND (p.class = 0 OR o.object_id IS NOT NULL)
    AND (@name IS NULL OR o.object_id = OBJECT_ID(@name) OR p.class = 0 AND p.permission_name = @name)
    AND (@username IS NULL OR USER_NAME(p.grantee_principal_id) = @username) AND (@grantorname IS NULL OR USER_NAME(p.grantor_principal_id) = @grantorname)
    AND (CHARINDEX('o', LOWER(@permissionarea)) > 0 AND p.class = 1 OR CHARINDEX('s', LOWER(@permissionarea)) > 0 AND p.class = 0)
;
IF NOT EXISTS (SELECT * FROM #found) RAISERROR (15330, -1, -1);
ELSE SELECT * FROM #found ORDER BY Owner, Object, Grantee, Grantor, ProtectType, [Action], [Column]
