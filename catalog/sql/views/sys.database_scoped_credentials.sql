-- sys.database_scoped_credentials: the credentials of the current database. Their secrets are not kept.
-- column: name sysname not null
-- column: credential_id int not null
-- column: credential_identity nvarchar(4000)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: target_type nvarchar(100)
-- column: target_id int
SELECT name, id AS credential_id, identity AS credential_identity, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date,
    NULL AS target_type, NULL AS target_id
FROM catalog_database_credentials WHERE database_id = $database_id
