-- sp_fkeys: the foreign keys that refer to a table, or those of a table.
CREATE PROCEDURE sys.sp_fkeys
    @pktable_name sysname = NULL, @pktable_owner sysname = NULL, @pktable_qualifier sysname = NULL,
    @fktable_name sysname = NULL, @fktable_owner sysname = NULL, @fktable_qualifier sysname = NULL
AS
IF @pktable_name IS NULL AND @fktable_name IS NULL BEGIN RAISERROR (15252, -1, -1); RETURN (1); END;
IF @pktable_qualifier <> DB_NAME() OR @fktable_qualifier <> DB_NAME() BEGIN RAISERROR (15250, -1, -1); RETURN (1); END;
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PKTABLE_QUALIFIER, SCHEMA_NAME(p.schema_id) AS PKTABLE_OWNER, p.name AS PKTABLE_NAME,
    pc.name AS PKCOLUMN_NAME, CAST(DB_NAME() AS nvarchar(128)) AS FKTABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS FKTABLE_OWNER,
    t.name AS FKTABLE_NAME, fc.name AS FKCOLUMN_NAME, CAST(k.constraint_column_id AS smallint) AS KEY_SEQ,
    CAST(CASE f.update_referential_action WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE f.update_referential_action END AS smallint) AS UPDATE_RULE,
    CAST(CASE f.delete_referential_action WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE f.delete_referential_action END AS smallint) AS DELETE_RULE,
    f.name AS FK_NAME, i.name AS PK_NAME, CAST(7 AS smallint) AS DEFERRABILITY
FROM sys.foreign_keys AS f
JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
JOIN sys.tables AS t ON t.object_id = f.parent_object_id
JOIN sys.tables AS p ON p.object_id = f.referenced_object_id
JOIN sys.columns AS fc ON fc.object_id = t.object_id AND fc.column_id = k.parent_column_id
JOIN sys.columns AS pc ON pc.object_id = p.object_id AND pc.column_id = k.referenced_column_id
LEFT JOIN sys.indexes AS i ON i.object_id = p.object_id AND i.index_id = f.key_index_id
WHERE (@pktable_name IS NULL OR p.name = @pktable_name) AND (@pktable_owner IS NULL OR SCHEMA_NAME(p.schema_id) = @pktable_owner)
    AND (@fktable_name IS NULL OR t.name = @fktable_name) AND (@fktable_owner IS NULL OR SCHEMA_NAME(t.schema_id) = @fktable_owner)
ORDER BY FKTABLE_OWNER, FKTABLE_NAME, FK_NAME, KEY_SEQ
