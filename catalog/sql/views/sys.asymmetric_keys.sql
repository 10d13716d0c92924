-- sys.asymmetric_keys: asymmetric keys of the current database.
-- column: name sysname not null
-- column: principal_id int
-- column: asymmetric_key_id int not null
-- column: pvt_key_encryption_type char(2) not null
-- column: pvt_key_encryption_type_desc nvarchar(60)
-- column: thumbprint varbinary(32) not null
-- column: algorithm char(2) not null
-- column: algorithm_desc nvarchar(60)
-- column: key_length int not null
-- column: sid varbinary(85)
-- column: string_sid nvarchar(128)
-- column: public_key varbinary(max) not null
-- column: attested_by nvarchar(260)
SELECT name, principal_id, id AS asymmetric_key_id, pvt_key_encryption_type,
    CASE pvt_key_encryption_type WHEN 'NA' THEN 'NO_PRIVATE_KEY' WHEN 'MK' THEN 'ENCRYPTED_BY_MASTER_KEY'
        ELSE 'ENCRYPTED_BY_PASSWORD' END AS pvt_key_encryption_type_desc, thumbprint,
    CASE key_length WHEN 1024 THEN '1R' WHEN 2048 THEN '2R' WHEN 3072 THEN '3R' ELSE '4R' END AS algorithm,
    algorithm AS algorithm_desc, key_length, '\x01'::BLOB || thumbprint AS sid, 'S-1-9-1-' || upper(hex(thumbprint)) AS string_sid,
    public_key, NULL AS attested_by
FROM catalog_asymmetric_keys WHERE database_id = $database_id
