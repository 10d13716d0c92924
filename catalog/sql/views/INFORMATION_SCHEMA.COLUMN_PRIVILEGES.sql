-- INFORMATION_SCHEMA.COLUMN_PRIVILEGES: what is granted on columns of the current database, by a grant on the column or on its table.
-- column: GRANTOR nvarchar(128)
-- column: GRANTEE nvarchar(128)
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME sysname not null
-- column: COLUMN_NAME sysname
-- column: PRIVILEGE_TYPE varchar(10)
-- column: IS_GRANTABLE varchar(3)
WITH c AS (
    SELECT database_id, object_id, name, column_id FROM catalog_columns
    UNION ALL SELECT database_id, object_id, name, column_id FROM live_view_columns)
SELECT g.name AS GRANTOR, e.name AS GRANTEE, d.name AS TABLE_CATALOG, s.name AS TABLE_SCHEMA, o.name AS TABLE_NAME,
    c.name AS COLUMN_NAME, p.permission_name AS PRIVILEGE_TYPE, CASE p.state WHEN 'W' THEN 'YES' ELSE 'NO' END AS IS_GRANTABLE
FROM catalog_permissions p JOIN catalog_objects o ON o.database_id = p.database_id AND o.object_id = p.major_id
JOIN c ON c.database_id = o.database_id AND c.object_id = o.object_id AND (p.minor_id = 0 OR p.minor_id = c.column_id)
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
JOIN catalog_principals g ON g.database_id = p.database_id AND g.id = p.grantor_principal_id
JOIN catalog_principals e ON e.database_id = p.database_id AND e.id = p.grantee_principal_id
WHERE p.database_id = $database_id AND p.class = 1 AND p.state IN ('G', 'W') AND o.type IN ('U', 'V')
    AND p.permission_name IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
