-- sp_helpuser, sp_helprole, sp_helprolemember.
CREATE LOGIN Clerk WITH PASSWORD = 'Long-Enough-1', DEFAULT_DATABASE = master;
CREATE DATABASE Shop;
GO
USE Shop;
GO
CREATE USER Ann FOR LOGIN Clerk;
CREATE USER Bob WITHOUT LOGIN WITH DEFAULT_SCHEMA = sys;
CREATE ROLE Sellers;
ALTER ROLE Sellers ADD MEMBER Ann;
ALTER ROLE Sellers ADD MEMBER Bob;
EXEC sp_addrolemember 'db_datareader', 'Ann';
GO
EXEC sp_helpuser 'Ann';
EXEC sp_helpuser 'Bob';
EXEC sp_helpuser 'Sellers';
EXEC sp_helprole 'Sellers';
EXEC sp_helprolemember 'Sellers';
EXEC sp_helprolemember;
GO
--! rows
--! columns UserName | RoleName | LoginName | DefDBName | DefSchemaName | UserID | SID
--! Ann | db_datareader | Clerk | master | dbo | * | *
--! Ann | Sellers | Clerk | master | dbo | * | *
--! rows
--! Bob | Sellers | NULL | NULL | sys | * | *
--! rows
--! columns Role_name | Role_id | Users_in_role | Userid
--! Sellers | * | Ann | *
--! Sellers | * | Bob | *
--! rows
--! columns RoleName | RoleId | IsAppRole
--! Sellers | * | 0
--! rows
--! columns DbRole | MemberName | MemberSID
--! Sellers | Ann | *
--! Sellers | Bob | *
--! rows
--! db_datareader | Ann | *
--! db_owner | dbo | *
--! Sellers | Ann | *
--! Sellers | Bob | *
EXEC sp_helpuser 'Nobody';
GO
--! error 15198
EXEC sp_helprole 'Ann';
GO
--! error 15409
EXEC sp_helprolemember 'Nobody';
GO
--! error 15409
