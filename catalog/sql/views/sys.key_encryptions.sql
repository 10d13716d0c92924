-- sys.key_encryptions: what the symmetric keys of the current database are encrypted by, one row for each encryption.
-- column: key_id int not null
-- column: thumbprint varbinary(32)
-- column: crypt_type char(4) not null
-- column: crypt_type_desc nvarchar(60)
-- column: crypt_property varbinary(max)
SELECT key_id, thumbprint, crypt_type, crypt_type_desc, crypt_property FROM catalog_key_encryptions WHERE database_id = $database_id
