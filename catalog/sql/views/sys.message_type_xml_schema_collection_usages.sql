-- sys.message_type_xml_schema_collection_usages: message types that are validated against an XML schema collection.
-- column: message_type_id int not null
-- column: xml_collection_id int not null
SELECT id AS message_type_id, xml_collection_id
FROM catalog_message_types WHERE database_id = $database_id AND xml_collection_id IS NOT NULL
