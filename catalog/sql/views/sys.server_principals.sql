-- sys.server_principals: logins and server roles.
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
-- column: credential_id int
-- column: owning_principal_id int
-- column: is_fixed_role bit not null
SELECT name, id AS principal_id, sid, type,
    CASE type WHEN 'S' THEN 'SQL_LOGIN' WHEN 'U' THEN 'WINDOWS_LOGIN' WHEN 'R' THEN 'SERVER_ROLE'
        WHEN 'C' THEN 'CERTIFICATE_MAPPED_LOGIN' END AS type_desc,
    is_disabled, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date,
    CASE WHEN type <> 'R' THEN default_database END AS default_database_name,
    CASE WHEN type <> 'R' THEN default_language END AS default_language_name, NULL AS credential_id, owning_principal_id,
    is_fixed_role
FROM catalog_principals WHERE database_id = 0
