-- sys.procedures: stored procedures of the current database.
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
-- column: is_auto_executed bit not null
-- column: is_execution_replicated bit
-- column: is_repl_serializable_only bit
-- column: skips_repl_constraints bit
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped,
    false AS is_published, false AS is_schema_published,
    false AS is_auto_executed, false AS is_execution_replicated, false AS is_repl_serializable_only,
    false AS skips_repl_constraints
FROM catalog_objects o WHERE o.database_id = $database_id AND o.type = 'P'
