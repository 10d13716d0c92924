-- sys.sql_expression_dependencies: what names what in the current database. A reference that is schema bound has rows
-- for its columns.
-- column: referencing_id int not null
-- column: referencing_minor_id int not null
-- column: referencing_class tinyint
-- column: referencing_class_desc nvarchar(60)
-- column: is_schema_bound_reference bit not null
-- column: referenced_class tinyint
-- column: referenced_class_desc nvarchar(60)
-- column: referenced_server_name sysname
-- column: referenced_database_name sysname
-- column: referenced_schema_name sysname
-- column: referenced_entity_name sysname
-- column: referenced_id int
-- column: referenced_minor_id int not null
-- column: is_caller_dependent bit not null
-- column: is_ambiguous bit not null
SELECT referencing_id, referencing_minor_id, referencing_class,
    CASE referencing_class WHEN 12 THEN 'DATABASE_DDL_TRIGGER' WHEN 13 THEN 'SERVER_DDL_TRIGGER' ELSE 'OBJECT_OR_COLUMN' END
        AS referencing_class_desc,
    is_schema_bound AS is_schema_bound_reference, referenced_class,
    CASE referenced_class WHEN 6 THEN 'TYPE' WHEN 10 THEN 'XML_SCHEMA_COLLECTION' ELSE 'OBJECT_OR_COLUMN' END AS referenced_class_desc,
    server_name AS referenced_server_name, database_name AS referenced_database_name, schema_name AS referenced_schema_name,
    entity_name AS referenced_entity_name, CASE WHEN database_name IS NULL THEN referenced_id END AS referenced_id,
    referenced_minor_id, is_caller_dependent, is_ambiguous
FROM live_dependencies WHERE database_id = $database_id AND (is_schema_bound OR referenced_minor_id = 0)
