-- sys.sql_logins: logins with a password. Differs: the password hash is not shown.
-- column: name sysname not null
-- column: principal_id int not null
-- column: sid varbinary(85)
-- column: type char(1) not null
-- column: type_desc nvarchar(60)
-- column: is_disabled bit
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: default_database_name sysname
-- column: default_language_name sysname
-- column: is_policy_checked bit
-- column: is_expiration_checked bit
-- column: password_hash varbinary(256)
SELECT name, id AS principal_id, sid, type, 'SQL_LOGIN' AS type_desc, is_disabled, sbql.at(create_date) AS create_date,
    sbql.at(modify_date) AS modify_date, default_database AS default_database_name, default_language AS default_language_name,
    false AS is_policy_checked, false AS is_expiration_checked, NULL AS password_hash
FROM catalog_principals WHERE database_id = 0 AND type = 'S'
