-- sys.database_role_members: members of roles of the current database.
-- column: role_principal_id int not null
-- column: member_principal_id int not null
SELECT role_principal_id, member_principal_id FROM catalog_role_members WHERE database_id = $database_id
