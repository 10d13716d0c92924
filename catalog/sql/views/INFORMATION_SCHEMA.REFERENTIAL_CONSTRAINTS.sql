-- INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS: foreign keys of the current database.
-- column: CONSTRAINT_CATALOG nvarchar(128)
-- column: CONSTRAINT_SCHEMA nvarchar(128)
-- column: CONSTRAINT_NAME sysname not null
-- column: UNIQUE_CONSTRAINT_CATALOG nvarchar(128)
-- column: UNIQUE_CONSTRAINT_SCHEMA nvarchar(128)
-- column: UNIQUE_CONSTRAINT_NAME sysname
-- column: MATCH_OPTION varchar(7)
-- column: UPDATE_RULE varchar(11)
-- column: DELETE_RULE varchar(11)
SELECT d.name AS CONSTRAINT_CATALOG, s.name AS CONSTRAINT_SCHEMA, f.name AS CONSTRAINT_NAME, d.name AS UNIQUE_CONSTRAINT_CATALOG,
    rs.name AS UNIQUE_CONSTRAINT_SCHEMA,
    (SELECT min(i.name) FROM catalog_indexes i
        WHERE i.database_id = f.database_id AND i.object_id = f.referenced_object_id AND i.index_id = f.key_index_id)
        AS UNIQUE_CONSTRAINT_NAME,
    'SIMPLE' AS MATCH_OPTION, f.on_update AS UPDATE_RULE, f.on_delete AS DELETE_RULE
FROM catalog_foreign_keys f JOIN catalog_objects o ON o.database_id = f.database_id AND o.object_id = f.object_id
JOIN catalog_objects r ON r.database_id = f.database_id AND r.object_id = f.referenced_object_id
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
JOIN catalog_schemas rs ON rs.database_id = o.database_id AND rs.id = r.schema_id
WHERE f.database_id = $database_id AND f.ordinal = 1
