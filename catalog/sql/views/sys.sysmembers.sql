-- sys.sysmembers: sys.database_role_members as SQL Server 2000 told it. Differs: ids of principals are ints, for they are larger here.
-- column: memberuid int
-- column: groupuid int
SELECT member_principal_id AS memberuid, role_principal_id AS groupuid FROM catalog_role_members WHERE database_id = $database_id
