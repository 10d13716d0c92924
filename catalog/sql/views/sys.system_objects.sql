-- sys.system_objects: empty: system procedures and views are not listed.
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
SELECT NULL AS name, NULL AS object_id, NULL AS principal_id, NULL AS schema_id, NULL AS parent_object_id, NULL AS
    type, NULL AS type_desc, NULL AS create_date, NULL AS modify_date, NULL AS is_ms_shipped, NULL AS is_published,
    NULL AS is_schema_published
WHERE false
