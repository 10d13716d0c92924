-- sys.all_parameters: sys.parameters and sys.system_parameters together.
-- column: object_id int not null
-- column: name sysname
-- column: parameter_id int not null
-- column: system_type_id tinyint not null
-- column: user_type_id int not null
-- column: max_length smallint not null
-- column: precision tinyint not null
-- column: scale tinyint not null
-- column: is_output bit not null
-- column: is_cursor_ref bit not null
-- column: has_default_value bit not null
-- column: is_xml_document bit not null
-- column: default_value sql_variant
-- column: xml_collection_id int not null
-- column: is_readonly bit not null
-- column: is_nullable bit
-- column: encryption_type int
-- column: encryption_type_desc nvarchar(64)
-- column: encryption_algorithm_name sysname
-- column: column_encryption_key_id int
-- column: column_encryption_key_database_name sysname
SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output,
    is_cursor AS is_cursor_ref, false AS has_default_value, false AS is_xml_document, NULL AS default_value, 0 AS xml_collection_id,
    is_readonly, is_nullable, NULL AS encryption_type, NULL AS encryption_type_desc, NULL AS encryption_algorithm_name,
    NULL AS column_encryption_key_id, NULL AS column_encryption_key_database_name
FROM (SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output, is_readonly, is_nullable, is_cursor FROM live_parameters
        WHERE database_id = $database_id
    UNION ALL SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output, is_readonly, is_nullable, is_cursor FROM live_system_parameters)
