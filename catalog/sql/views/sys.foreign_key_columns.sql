-- sys.foreign_key_columns: column pairs of foreign keys of the current database.
-- column: constraint_object_id int not null
-- column: constraint_column_id int not null
-- column: parent_object_id int not null
-- column: parent_column_id int not null
-- column: referenced_object_id int not null
-- column: referenced_column_id int not null
SELECT f.object_id AS constraint_object_id, f.ordinal AS constraint_column_id, f.parent_object_id,
    c.column_id AS parent_column_id, f.referenced_object_id, r.column_id AS referenced_column_id
FROM catalog_foreign_keys f
JOIN catalog_columns c ON c.database_id = f.database_id AND c.object_id = f.parent_object_id
    AND lower(c.name) = lower(f.column_name)
JOIN catalog_columns r ON r.database_id = f.database_id AND r.object_id = f.referenced_object_id
    AND lower(r.name) = lower(f.referenced_column_name)
WHERE f.database_id = $database_id
