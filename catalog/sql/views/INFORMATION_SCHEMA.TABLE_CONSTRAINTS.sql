-- INFORMATION_SCHEMA.TABLE_CONSTRAINTS: keys, foreign keys and CHECK constraints of the current database.
-- column: CONSTRAINT_CATALOG nvarchar(128)
-- column: CONSTRAINT_SCHEMA nvarchar(128)
-- column: CONSTRAINT_NAME sysname not null
-- column: TABLE_CATALOG nvarchar(128)
-- column: TABLE_SCHEMA nvarchar(128)
-- column: TABLE_NAME sysname
-- column: CONSTRAINT_TYPE varchar(11)
-- column: IS_DEFERRABLE varchar(2) not null
-- column: INITIALLY_DEFERRED varchar(2) not null
SELECT d.name AS CONSTRAINT_CATALOG, s.name AS CONSTRAINT_SCHEMA, o.name AS CONSTRAINT_NAME, d.name AS TABLE_CATALOG,
    s.name AS TABLE_SCHEMA, t.name AS TABLE_NAME,
    CASE o.type WHEN 'PK' THEN 'PRIMARY KEY' WHEN 'UQ' THEN 'UNIQUE' WHEN 'F' THEN 'FOREIGN KEY' ELSE 'CHECK' END AS CONSTRAINT_TYPE,
    'NO' AS IS_DEFERRABLE, 'NO' AS INITIALLY_DEFERRED
FROM catalog_objects o JOIN catalog_objects t ON t.database_id = o.database_id AND t.object_id = o.parent_object_id
JOIN catalog_databases d ON d.id = o.database_id
JOIN catalog_schemas s ON s.database_id = o.database_id AND s.id = o.schema_id
WHERE o.database_id = $database_id AND o.type IN ('PK', 'UQ', 'F', 'C')
