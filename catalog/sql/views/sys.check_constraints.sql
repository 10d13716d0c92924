-- sys.check_constraints: CHECK constraints of the current database. parent_column_id is that of the one column which
-- the condition names, 0 for more than one.
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
-- column: is_disabled bit not null
-- column: is_not_for_replication bit not null
-- column: is_not_trusted bit not null
-- column: parent_column_id int not null
-- column: definition nvarchar(max)
-- column: uses_database_collation bit
-- column: is_system_named bit not null
SELECT o.name, o.object_id, o.principal_id, o.schema_id, o.parent_object_id, o.type, o.type_desc,
    sbql.at(o.create_date) AS create_date, sbql.at(o.modify_date) AS modify_date, o.is_ms_shipped, false AS is_published,
    false AS is_schema_published,
    k.is_disabled, false AS is_not_for_replication, k.is_not_trusted, coalesce(u.column_id, 0) AS parent_column_id,
    k.definition, true AS uses_database_collation, k.is_system_named
FROM catalog_objects o JOIN catalog_checks k ON k.database_id = o.database_id AND k.object_id = o.object_id
LEFT JOIN (SELECT database_id, object_id, max(column_id) AS column_id FROM live_check_columns GROUP BY ALL HAVING count(*) = 1) u
    ON u.database_id = o.database_id AND u.object_id = o.object_id
WHERE o.database_id = $database_id
