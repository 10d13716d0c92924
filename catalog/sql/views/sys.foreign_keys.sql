-- sys.foreign_keys: foreign keys of the current database.
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
-- column: referenced_object_id int
-- column: key_index_id int
-- column: is_disabled bit not null
-- column: is_not_for_replication bit not null
-- column: is_not_trusted bit not null
-- column: delete_referential_action tinyint
-- column: delete_referential_action_desc nvarchar(60)
-- column: update_referential_action tinyint
-- column: update_referential_action_desc nvarchar(60)
-- column: is_system_named bit not null
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped, false AS is_published,
    false AS is_schema_published,
    f.referenced_object_id, f.key_index_id, f.is_disabled, false AS is_not_for_replication, f.is_not_trusted,
    list_position(['NO ACTION', 'CASCADE', 'SET NULL', 'SET DEFAULT'], f.on_delete) - 1 AS delete_referential_action,
    replace(f.on_delete, ' ', '_') AS delete_referential_action_desc,
    list_position(['NO ACTION', 'CASCADE', 'SET NULL', 'SET DEFAULT'], f.on_update) - 1 AS update_referential_action,
    replace(f.on_update, ' ', '_') AS update_referential_action_desc, f.is_system_named
FROM catalog_objects o
JOIN catalog_foreign_keys f ON f.database_id = o.database_id AND f.object_id = o.object_id AND f.ordinal = 1
WHERE o.database_id = $database_id
