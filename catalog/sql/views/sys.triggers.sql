-- sys.triggers: DML and DDL triggers of the current database.
-- column: name sysname not null
-- column: object_id int not null
-- column: parent_class tinyint not null
-- column: parent_class_desc nvarchar(60)
-- column: parent_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: is_ms_shipped bit not null
-- column: is_disabled bit not null
-- column: is_not_for_replication bit not null
-- column: is_instead_of_trigger bit not null
SELECT name, id AS object_id, CASE parent_id WHEN 0 THEN 0 ELSE 1 END AS parent_class,
    CASE parent_id WHEN 0 THEN 'DATABASE' ELSE 'OBJECT_OR_COLUMN' END AS parent_class_desc, parent_id, type,
    'SQL_TRIGGER' AS type_desc, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date,
    false AS is_ms_shipped, is_disabled, false AS is_not_for_replication, is_instead_of AS is_instead_of_trigger
FROM catalog_modules WHERE database_id = $database_id AND type = 'TR' AND scope <> 'SERVER'
