-- sys.credentials: the credentials of the server. Their secrets are not kept.
-- column: credential_id int not null
-- column: name sysname not null
-- column: credential_identity nvarchar(4000)
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: target_type nvarchar(100)
-- column: target_id int
SELECT id AS credential_id, name, identity AS credential_identity, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date,
    NULL AS target_type, NULL AS target_id
FROM catalog_credentials
