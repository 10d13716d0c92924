-- sp_table_privileges: who may do what with tables, by pattern; an owner everything.
CREATE PROCEDURE sys.sp_table_privileges
    @table_name nvarchar(384), @table_owner nvarchar(384) = NULL, @table_qualifier sysname = NULL, @fUsePattern bit = 1
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS TABLE_OWNER, o.name AS TABLE_NAME, g.GRANTOR, g.GRANTEE,
    CAST(g.PRIVILEGE AS varchar(32)) AS PRIVILEGE, CAST(g.IS_GRANTABLE AS varchar(3)) AS IS_GRANTABLE
FROM sys.objects AS o CROSS APPLY (
    SELECT SCHEMA_NAME(o.schema_id), s.name, a.privilege, 'YES' FROM sys.schemas AS h JOIN sys.database_principals AS s ON s.principal_id = h.principal_id
    CROSS JOIN (VALUES ('DELETE'), ('INSERT'), ('REFERENCES'), ('SELECT'), ('UPDATE')) AS a (privilege) WHERE h.schema_id = o.schema_id
    UNION ALL
    SELECT USER_NAME(p.grantor_principal_id), USER_NAME(p.grantee_principal_id), p.permission_name, IIF(p.state = 'W', 'YES', 'NO')
    FROM sys.database_permissions AS p WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id = 0 AND p.state IN ('G', 'W')
        AND p.permission_name IN ('DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'UPDATE')) AS g (GRANTOR, GRANTEE, PRIVILEGE, IS_GRANTABLE)
WHERE o.type IN ('U', 'V') AND (@fUsePattern = 1 AND o.name LIKE @table_name OR o.name = @table_name)
    AND (@table_owner IS NULL OR @fUsePattern = 1 AND SCHEMA_NAME(o.schema_id) LIKE @table_owner OR SCHEMA_NAME(o.schema_id) = @table_owner)
ORDER BY TABLE_OWNER, TABLE_NAME, PRIVILEGE, GRANTEE
