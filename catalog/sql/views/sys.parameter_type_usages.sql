-- sys.parameter_type_usages: parameters of the current database that are of a user-defined type.
-- column: object_id int not null
-- column: parameter_id int not null
-- column: user_type_id int not null
SELECT p.object_id, p.parameter_id, p.user_type_id FROM live_parameters p
JOIN catalog_types t ON t.database_id = p.database_id AND t.user_type_id = p.user_type_id AND t.is_user_defined
WHERE p.database_id = $database_id
