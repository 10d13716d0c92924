-- INFORMATION_SCHEMA.SCHEMATA: schemas of the current database.
-- column: CATALOG_NAME nvarchar(128)
-- column: SCHEMA_NAME nvarchar(128) not null
-- column: SCHEMA_OWNER nvarchar(128)
-- column: DEFAULT_CHARACTER_SET_CATALOG varchar(6)
-- column: DEFAULT_CHARACTER_SET_SCHEMA varchar(3)
-- column: DEFAULT_CHARACTER_SET_NAME nvarchar(128)
SELECT d.name AS CATALOG_NAME, s.name AS SCHEMA_NAME, p.name AS SCHEMA_OWNER, NULL AS DEFAULT_CHARACTER_SET_CATALOG,
    NULL AS DEFAULT_CHARACTER_SET_SCHEMA, 'iso_1' AS DEFAULT_CHARACTER_SET_NAME
FROM catalog_schemas s JOIN catalog_databases d ON d.id = s.database_id
LEFT JOIN catalog_principals p ON p.database_id = s.database_id AND p.id = s.principal_id
WHERE s.database_id = $database_id
