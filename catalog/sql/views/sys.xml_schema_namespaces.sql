-- sys.xml_schema_namespaces: the target namespaces of the XML schema collections of the current database.
-- column: xml_collection_id int not null
-- column: name nvarchar(4000) not null
-- column: xml_namespace_id int not null
SELECT id AS xml_collection_id, namespace AS name, number AS xml_namespace_id
FROM catalog_xml_namespaces WHERE database_id = $database_id
