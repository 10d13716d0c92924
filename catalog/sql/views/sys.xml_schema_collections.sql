-- sys.xml_schema_collections: XML schema collections of the current database; 1 is the built-in sys.sys.
-- column: xml_collection_id int not null
-- column: schema_id int not null
-- column: principal_id int
-- column: name sysname not null
-- column: create_date datetime not null
-- column: modify_date datetime not null
SELECT 1 AS xml_collection_id, 4 AS schema_id, NULL AS principal_id, 'sys' AS name, TIMESTAMP '2009-04-13 12:59:13' AS create_date,
    TIMESTAMP '2009-04-13 12:59:13' AS modify_date
UNION ALL
SELECT id, schema_id, NULL, name, sbql.at(create_date), sbql.at(modify_date)
FROM catalog_xml_schema_collections WHERE database_id = $database_id
