-- EXECUTE AS, REVERT, WITH EXECUTE AS, activation under a user, TRUSTWORTHY, signatures.
CREATE LOGIN Kim WITH PASSWORD = 'x'; CREATE LOGIN Lou WITH PASSWORD = 'x'; CREATE LOGIN Mia WITH PASSWORD = 'x';
CREATE DATABASE Home; CREATE DATABASE Away;
GO
USE Away;
CREATE USER Kim FOR LOGIN Kim;
CREATE TABLE T (a int); INSERT T VALUES (1); GRANT SELECT, INSERT ON T TO Kim;
GO
USE Home;
CREATE USER Kim FOR LOGIN Kim; CREATE USER Lou FOR LOGIN Lou; CREATE USER Nil WITHOUT LOGIN;
CREATE TABLE Seen (who sysname, owner sysname NULL);
GRANT INSERT ON Seen TO public;
SELECT is_trustworthy_on FROM sys.databases WHERE name IN ('Home', 'msdb') ORDER BY name;
EXECUTE AS USER = 'Kim'; SELECT USER_NAME(), SUSER_SNAME(), ORIGINAL_LOGIN(); EXECUTE AS USER = 'Lou';
GO
--! rows
--! 0
--! 1
--! rows
--! Kim | Kim | sa
--! error 15517
--! spec TRUST-1 TRUST-2 CONTEXT-1
EXECUTE AS LOGIN = 'Lou';
GO
--! error 15406
REVERT;
EXECUTE AS LOGIN = 'Kim'; SELECT USER_NAME(), SUSER_SNAME(); REVERT;
GRANT IMPERSONATE ON USER::Lou TO Kim;
EXECUTE AS USER = 'Kim'; EXECUTE AS USER = 'Lou'; SELECT USER_NAME(); REVERT; SELECT USER_NAME(); REVERT; SELECT USER_NAME();
GO
--! rows
--! Kim | Kim
--! rows
--! Lou
--! rows
--! Kim
--! rows
--! dbo
--! spec CONTEXT-1 CONTEXT-2
DECLARE @c varbinary(100);
EXECUTE AS USER = 'Kim' WITH COOKIE INTO @c;
REVERT;
SELECT USER_NAME();
REVERT WITH COOKIE = @c;
SELECT USER_NAME();
GO
--! error 15591
--! rows
--! Kim
--! rows
--! dbo
--! session never IN Home
EXECUTE AS USER = 'Kim' WITH NO REVERT;
REVERT;
GO
--! error 15591
SELECT USER_NAME();
GO
--! rows
--! Kim
--! spec CONTEXT-3
--! session main
USE Home;
EXECUTE AS LOGIN = 'Kim'; USE Away; REVERT;
GO
--! error 15199
--! spec CONTEXT-4
USE Home; REVERT;
GO
-- Modules: caller, self, owner, a name; what happens inside ends with them.
CREATE PROCEDURE AsCaller AS INSERT Seen VALUES (USER_NAME(), NULL);
GO
CREATE PROCEDURE AsSelf WITH EXECUTE AS SELF AS INSERT Seen VALUES (USER_NAME(), NULL);
GO
CREATE PROCEDURE AsOwner WITH EXECUTE AS OWNER AS INSERT Seen VALUES (USER_NAME(), NULL);
GO
CREATE PROCEDURE AsLou WITH EXECUTE AS 'Lou' AS INSERT Seen VALUES (USER_NAME(), NULL);
GO
CREATE PROCEDURE Inside AS EXECUTE AS USER = 'Lou';
GO
GRANT EXECUTE TO Kim;
EXECUTE AS USER = 'Kim';
EXEC AsCaller; EXEC AsSelf; EXEC AsOwner; EXEC AsLou; EXEC Inside; EXEC ('EXECUTE AS USER = ''Lou''');
INSERT Seen VALUES (USER_NAME(), NULL);
REVERT;
SELECT who FROM Seen;
TRUNCATE TABLE Seen;
GO
--! rows
--! Kim
--! dbo
--! dbo
--! Lou
--! Kim
--! spec CONTEXT-5 CONTEXT-6
-- An impersonated user counts in his database only.
EXECUTE AS USER = 'Kim'; SELECT a FROM Away.dbo.T;
GO
--! error 916
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors;
GO
--! error 300
--! error 297
EXEC ('USE Away');
GO
--! error 916
REVERT;
EXECUTE AS LOGIN = 'Kim'; SELECT a FROM Away.dbo.T; REVERT;
EXECUTE AS USER = 'dbo'; SELECT a FROM Away.dbo.T;
GO
--! rows
--! 1
--! error 916
CREATE LOGIN Never WITH PASSWORD = 'x';
GO
--! error 15247
REVERT;
EXECUTE AS USER = 'Nil'; SELECT a FROM Away.dbo.T;
GO
--! error 916
SELECT DB_NAME(), COUNT(*) FROM sys.databases WHERE name = 'master';
GO
--! rows
--! Home | 1
--! spec CONTEXT-7 CONTEXT-9
REVERT;
-- guest.
USE Away; GRANT CONNECT TO guest; GRANT SELECT ON T TO guest; USE Home;
EXECUTE AS USER = 'Nil'; SELECT a FROM Away.dbo.T; REVERT;
EXECUTE AS LOGIN = 'Lou'; SELECT a FROM Away.dbo.T; REVERT;
USE Away; REVOKE CONNECT FROM guest; REVOKE SELECT ON T FROM guest; USE Home;
EXECUTE AS LOGIN = 'Lou'; SELECT a FROM Away.dbo.T;
GO
--! rows
--! 1
--! rows
--! 1
--! error 916
--! spec CONTEXT-8
REVERT;
-- TRUSTWORTHY: the owner's AUTHENTICATE in the other database decides.
ALTER DATABASE Home SET TRUSTWORTHY ON;
SELECT is_trustworthy_on FROM sys.databases WHERE name = 'Home';
EXECUTE AS USER = 'Kim'; SELECT a FROM Away.dbo.T; REVERT;
ALTER AUTHORIZATION ON DATABASE::Home TO Mia;
EXECUTE AS USER = 'Kim'; SELECT a FROM Away.dbo.T;
GO
--! rows
--! 1
--! rows
--! 1
--! error 916
--! spec TRUST-3 TRUST-5
REVERT;
USE Away; CREATE USER Mia FOR LOGIN Mia; GRANT AUTHENTICATE TO Mia; USE Home;
EXECUTE AS USER = 'Kim'; SELECT a FROM Away.dbo.T; REVERT;
GO
--! rows
--! 1
--! spec TRUST-4
USE Away; DROP USER Mia; USE Home;
ALTER AUTHORIZATION ON DATABASE::Home TO sa; ALTER DATABASE Home SET TRUSTWORTHY OFF;
GO
