-- sys.server_triggers: DDL triggers of the server.
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
SELECT name, id AS object_id, 100 AS parent_class, 'SERVER' AS parent_class_desc, 0 AS parent_id, type, 'SQL_TRIGGER' AS type_desc,
    sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date, false AS is_ms_shipped, is_disabled
FROM catalog_modules WHERE type = 'TR' AND scope = 'SERVER'
