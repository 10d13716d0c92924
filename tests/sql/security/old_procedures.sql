-- Logins, users and roles in the words of SQL Server 2000.
EXEC sp_addlogin 'joe', 'Secret-1', 'master';
EXEC sp_addlogin 'ann', 'Secret-2';
GO
CREATE DATABASE Shop;
GO
USE Shop;
GO
EXEC sp_grantdbaccess 'joe', 'joseph';
EXEC sp_adduser 'ann';
EXEC sp_addrole 'readers';
EXEC sp_addrolemember 'readers', 'joseph';
SELECT name, islogin, issqlrole FROM sysusers WHERE name IN ('joseph', 'ann', 'readers') ORDER BY name;
SELECT u.name, g.name FROM sysmembers AS m JOIN sysusers AS u ON u.uid = m.memberuid JOIN sysusers AS g ON g.uid = m.groupuid WHERE g.name = 'readers';
SELECT SCHEMA_NAME(schema_id) FROM sys.schemas WHERE name = 'ann';
GO
--! rows
--! ann | 1 | 0
--! joseph | 1 | 0
--! readers | 0 | 1
--! rows
--! joseph | readers
--! rows
--! ann
EXEC sp_droplogin 'joe';
GO
--! error 15175
EXEC sp_dropuser 'nobody';
GO
--! error 15008
EXEC sp_droprole 'nothing';
GO
--! error 15014
EXEC sp_revokedbaccess 'joseph';
EXEC sp_dropuser 'ann';
EXEC sp_droprole 'readers';
EXEC sp_addsrvrolemember 'ann', 'sysadmin';
SELECT name, sysadmin, dbname FROM syslogins WHERE name IN ('ann', 'joe') ORDER BY name;
EXEC sp_dropsrvrolemember 'ann', 'sysadmin';
EXEC sp_defaultdb 'ann', 'Shop';
EXEC sp_changedbowner 'ann';
SELECT SUSER_SNAME(owner_sid) FROM sys.databases WHERE name = 'Shop';
EXEC sp_changedbowner 'sa';
EXEC sp_droplogin 'joe';
EXEC sp_droplogin 'ann';
SELECT COUNT(*) FROM syslogins WHERE name IN ('ann', 'joe');
SELECT COUNT(*) FROM sys.schemas WHERE name = 'ann';
GO
--! rows
--! ann | 1 | master
--! joe | 0 | master
--! rows
--! ann
--! rows
--! 0
--! rows
--! 0
EXEC sp_droplogin 'joe';
GO
--! error 15007
EXEC sp_addlogin 'x', 'Secret-3', 'nowhere';
GO
--! error 15010
EXEC sp_addtype 'birthday', 'datetime', 'NOT NULL';
SELECT name, is_nullable FROM sys.types WHERE name = 'birthday';
EXEC sp_droptype 'birthday';
GO
--! rows
--! birthday | 0
EXEC sp_droptype 'birthday';
GO
--! error 15036
