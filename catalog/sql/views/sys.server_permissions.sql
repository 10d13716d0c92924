-- sys.server_permissions: permissions granted or denied on the server.
-- column: class tinyint not null
-- column: class_desc nvarchar(60)
-- column: major_id int not null
-- column: minor_id int not null
-- column: grantee_principal_id int not null
-- column: grantor_principal_id int not null
-- column: type char(4) not null
-- column: permission_name nvarchar(128)
-- column: state char(1) not null
-- column: state_desc nvarchar(60)
SELECT class, class_desc, major_id, minor_id, grantee_principal_id, grantor_principal_id, type, permission_name, state,
    CASE state WHEN 'G' THEN 'GRANT' WHEN 'W' THEN 'GRANT_WITH_GRANT_OPTION' WHEN 'D' THEN 'DENY' ELSE 'REVOKE' END AS state_desc
FROM catalog_permissions WHERE database_id = 0
