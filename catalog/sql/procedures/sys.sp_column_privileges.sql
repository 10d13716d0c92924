-- sp_column_privileges: who may do what with the columns of a table.
CREATE PROCEDURE sys.sp_column_privileges
    @table_name sysname, @table_owner sysname = NULL, @table_qualifier sysname = NULL, @column_name nvarchar(384) = NULL
AS
IF @table_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS TABLE_OWNER, o.name AS TABLE_NAME, c.name AS COLUMN_NAME,
    g.GRANTOR, g.GRANTEE, CAST(g.PRIVILEGE AS varchar(32)) AS PRIVILEGE, CAST(g.IS_GRANTABLE AS varchar(3)) AS IS_GRANTABLE
FROM sys.objects AS o JOIN sys.columns AS c ON c.object_id = o.object_id CROSS APPLY (
    SELECT SCHEMA_NAME(o.schema_id), s.name, a.privilege, 'YES' FROM sys.schemas AS h JOIN sys.database_principals AS s ON s.principal_id = h.principal_id
    CROSS JOIN (VALUES ('INSERT'), ('REFERENCES'), ('SELECT'), ('UPDATE')) AS a (privilege) WHERE h.schema_id = o.schema_id
    UNION ALL
    SELECT USER_NAME(p.grantor_principal_id), USER_NAME(p.grantee_principal_id), p.permission_name, IIF(p.state = 'W', 'YES', 'NO')
    FROM sys.database_permissions AS p WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id IN (0, c.column_id) AND p.state IN ('G', 'W')
        AND p.permission_name IN ('INSERT', 'REFERENCES', 'SELECT', 'UPDATE')) AS g (GRANTOR, GRANTEE, PRIVILEGE, IS_GRANTABLE)
WHERE o.type IN ('U', 'V') AND o.name = @table_name AND (@table_owner IS NULL OR SCHEMA_NAME(o.schema_id) = @table_owner)
    AND (@column_name IS NULL OR c.name LIKE @column_name)
ORDER BY TABLE_OWNER, TABLE_NAME, COLUMN_NAME, PRIVILEGE, GRANTEE
