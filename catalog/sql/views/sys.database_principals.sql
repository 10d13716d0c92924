-- sys.database_principals: users and roles of the current database.
-- column: name sysname not null
-- column: principal_id int not null
-- column: type char(1) not null
-- column: type_desc nvarchar(60)
-- column: default_schema_name sysname
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: owning_principal_id int
-- column: sid varbinary(85)
-- column: is_fixed_role bit not null
-- column: authentication_type int not null
-- column: authentication_type_desc nvarchar(60)
-- column: default_language_name sysname
-- column: default_language_lcid int
-- column: allow_encrypted_value_modifications bit not null
SELECT name, id AS principal_id, type,
    CASE type WHEN 'S' THEN 'SQL_USER' WHEN 'U' THEN 'WINDOWS_USER' WHEN 'R' THEN 'DATABASE_ROLE'
        WHEN 'A' THEN 'APPLICATION_ROLE' WHEN 'C' THEN 'CERTIFICATE_MAPPED_USER' END AS type_desc,
    default_schema AS default_schema_name, sbql.at(create_date) AS create_date, sbql.at(modify_date) AS modify_date,
    owning_principal_id, nullif(sid, ''::BLOB) AS sid, is_fixed_role,
    CASE WHEN type = 'S' AND sid <> ''::BLOB AND id <> 2 THEN 1 WHEN type = 'U' THEN 3 ELSE 0 END AS authentication_type,
    CASE WHEN type = 'S' AND sid <> ''::BLOB AND id <> 2 THEN 'INSTANCE' WHEN type = 'U' THEN 'WINDOWS' ELSE 'NONE' END
        AS authentication_type_desc,
    NULL AS default_language_name, NULL AS default_language_lcid, false AS allow_encrypted_value_modifications
FROM catalog_principals WHERE database_id = $database_id
