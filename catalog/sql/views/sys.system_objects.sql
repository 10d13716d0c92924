-- sys.system_objects: the system views, procedures and functions.
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
SELECT name, object_id, NULL AS principal_id, schema_id, 0 AS parent_object_id, type, type_desc,
    TIMESTAMP '2022-10-08' AS create_date, TIMESTAMP '2022-10-08' AS modify_date, true AS is_ms_shipped, false AS is_published,
    false AS is_schema_published
FROM live_system_objects
