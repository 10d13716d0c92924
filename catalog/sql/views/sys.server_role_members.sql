-- sys.server_role_members: members of server roles.
-- column: role_principal_id int not null
-- column: member_principal_id int not null
SELECT 3 AS role_principal_id, 1 AS member_principal_id
UNION
SELECT role_principal_id, member_principal_id FROM catalog_role_members WHERE database_id = 0
