-- sys.column_type_usages: columns of the current database that are of a user-defined type.
-- column: object_id int not null
-- column: column_id int not null
-- column: user_type_id int not null
SELECT c.object_id, c.column_id, c.user_type_id FROM catalog_columns c
JOIN catalog_types t ON t.database_id = c.database_id AND t.user_type_id = c.user_type_id AND t.is_user_defined
WHERE c.database_id = $database_id
