-- sys.database_role_members: members of roles of the current database; dbo is always one of db_owner.
-- column: role_principal_id int not null
-- column: member_principal_id int not null
SELECT 16384 AS role_principal_id, 1 AS member_principal_id
UNION ALL SELECT role_principal_id, member_principal_id FROM catalog_role_members WHERE database_id = $database_id
