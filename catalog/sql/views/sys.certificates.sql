-- sys.certificates: certificates of the current database.
-- column: name sysname not null
-- column: certificate_id int not null
-- column: principal_id int
-- column: pvt_key_encryption_type char(2) not null
-- column: pvt_key_encryption_type_desc nvarchar(60)
-- column: is_active_for_begin_dialog bit
-- column: issuer_name nvarchar(442)
-- column: cert_serial_number nvarchar(64)
-- column: sid varbinary(85)
-- column: string_sid nvarchar(128)
-- column: subject nvarchar(4000)
-- column: expiry_date datetime
-- column: start_date datetime
-- column: thumbprint varbinary(32) not null
-- column: attested_by nvarchar(260)
-- column: pvt_key_last_backup_date datetime
SELECT name, id AS certificate_id, principal_id, pvt_key_encryption_type,
    CASE pvt_key_encryption_type WHEN 'NA' THEN 'NO_PRIVATE_KEY' WHEN 'MK' THEN 'ENCRYPTED_BY_MASTER_KEY'
        WHEN 'PW' THEN 'ENCRYPTED_BY_PASSWORD' ELSE 'ENCRYPTED_BY_SERVICE_MASTER_KEY' END AS pvt_key_encryption_type_desc,
    is_active_for_begin_dialog, issuer AS issuer_name, serial AS cert_serial_number, sid,
    'S-1-9-1-' || upper(hex(thumbprint)) AS string_sid, subject, sbql.at(expiry_date) AS expiry_date,
    sbql.at(start_date) AS start_date, thumbprint, NULL AS attested_by, sbql.at(last_backup) AS pvt_key_last_backup_date
FROM catalog_certificates WHERE database_id = $database_id
