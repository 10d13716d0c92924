-- sys.parameters: parameters of procedures and functions of the current database, as the engine has parsed them.
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
SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output,
    false AS is_cursor_ref, has_default_value, false AS is_xml_document, NULL AS default_value, 0 AS xml_collection_id,
    is_readonly, is_nullable
FROM live_parameters WHERE database_id = $database_id
