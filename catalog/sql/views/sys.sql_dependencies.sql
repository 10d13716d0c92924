-- sys.sql_dependencies: sys.sql_expression_dependencies as SQL Server 2005 told it: references to what exists, with
-- their columns.
-- column: class tinyint not null
-- column: class_desc nvarchar(60)
-- column: object_id int not null
-- column: column_id int not null
-- column: referenced_major_id int not null
-- column: referenced_minor_id int not null
-- column: is_selected bit not null
-- column: is_updated bit not null
-- column: is_select_all bit not null
SELECT CASE WHEN referenced_class <> 1 THEN 2 WHEN is_schema_bound THEN 1 ELSE 0 END AS class,
    CASE WHEN referenced_class <> 1 THEN 'TYPE' WHEN is_schema_bound THEN 'OBJECT_OR_COLUMN_REFERENCE_SCHEMA_BOUND'
        ELSE 'OBJECT_OR_COLUMN_REFERENCE_NON_SCHEMA_BOUND' END AS class_desc,
    referencing_id AS object_id, referencing_minor_id AS column_id, referenced_id AS referenced_major_id, referenced_minor_id,
    is_selected, is_updated, is_select_all
FROM live_dependencies
WHERE database_id = $database_id AND database_name IS NULL AND referenced_id IS NOT NULL
