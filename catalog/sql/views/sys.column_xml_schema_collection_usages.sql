-- sys.column_xml_schema_collection_usages: columns of the current database that a collection of XML schemas checks.
-- column: object_id int not null
-- column: column_id int not null
-- column: xml_collection_id int not null
SELECT object_id, column_id, TRY_CAST(split_part(xml_collection, '#', 1) AS INTEGER) AS xml_collection_id
FROM catalog_columns WHERE database_id = $database_id AND xml_collection IS NOT NULL
