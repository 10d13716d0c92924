-- sys.service_message_types: message types of the current database, built-in ones included.
-- column: name sysname collate Latin1_General_BIN not null
-- column: message_type_id int not null
-- column: principal_id int
-- column: validation char(2) not null
-- column: validation_desc nvarchar(60)
-- column: xml_collection_id int
SELECT name, id AS message_type_id, principal_id, validation,
    CASE validation WHEN 'N' THEN 'BINARY' WHEN 'X' THEN 'XML' ELSE 'EMPTY' END AS validation_desc, xml_collection_id
FROM catalog_message_types WHERE database_id = $database_id
