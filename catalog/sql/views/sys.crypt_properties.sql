-- sys.crypt_properties: signatures and counter signatures of modules of the current database.
-- column: class tinyint not null
-- column: class_desc nvarchar(60)
-- column: major_id int not null
-- column: thumbprint varbinary(32) not null
-- column: crypt_type char(4) not null
-- column: crypt_type_desc nvarchar(60)
-- column: crypt_property varbinary(max) not null
SELECT 1 AS class, 'OBJECT_OR_COLUMN' AS class_desc, major_id, thumbprint, crypt_type, crypt_type_desc, crypt_property
FROM catalog_signatures WHERE database_id = $database_id
