-- sys.all_objects: sys.objects and sys.system_objects together.
-- column: name sysname not null
-- column: object_id int not null
-- column: principal_id int
-- column: schema_id int not null
-- column: parent_object_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: is_ms_shipped bit not null
-- column: is_published bit not null
-- column: is_schema_published bit not null
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped, false AS is_published,
    false AS is_schema_published
FROM catalog_objects o WHERE o.database_id = $database_id
UNION ALL
SELECT name, object_id, NULL, schema_id, 0, type, type_desc, TIMESTAMP '2022-10-08', TIMESTAMP '2022-10-08', true, false,
    false FROM live_system_objects
