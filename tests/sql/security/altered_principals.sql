-- ALTER LOGIN, USER and ROLE: names, logins, switches; what they refuse. Dates of certificates are written like any datetime.
CREATE DATABASE Shop;
GO
CREATE LOGIN Kim WITH PASSWORD = N'P@ss' MUST_CHANGE, CHECK_EXPIRATION = ON, CHECK_POLICY = ON, DEFAULT_DATABASE = Shop, DEFAULT_LANGUAGE = us_english;
CREATE LOGIN Lee WITH PASSWORD = 'x', SID = 0x241C11948AEEB749B0D22646DB1A19F2;
CREATE LOGIN [CORP\Broker$] FROM WINDOWS WITH DEFAULT_DATABASE = [Shop];
SELECT name, type, default_database_name, CASE name WHEN 'Lee' THEN sid END FROM sys.server_principals WHERE name IN ('Kim', 'Lee', 'CORP\Broker$') ORDER BY name;
GO
--! rows
--! CORP\Broker$ | U | Shop | NULL
--! Kim | S | Shop | NULL
--! Lee | S | master | 0x241C11948AEEB749B0D22646DB1A19F2
CREATE LOGIN Twin WITH PASSWORD = 'x', SID = 0x241C11948AEEB749B0D22646DB1A19F2;
GO
--! error 15433
ALTER LOGIN Kim WITH NAME = Kimberly, DEFAULT_DATABASE = master; ALTER LOGIN Kimberly DISABLE; ALTER LOGIN Kimberly WITH PASSWORD = 'new' OLD_PASSWORD = 'P@ss' UNLOCK;
SELECT name, is_disabled, default_database_name FROM sys.sql_logins WHERE name LIKE 'Kim%';
ALTER LOGIN Kim ENABLE;
GO
--! rows
--! Kimberly | 1 | master
--! error 15151 line 3
ALTER LOGIN Kimberly WITH NAME = Lee;
GO
--! error 15025
-- The name of an account of Windows has a backslash in it, that of a SQL login has none.
CREATE LOGIN Broker FROM WINDOWS;
GO
--! error 15407
CREATE LOGIN [CORP\] FROM WINDOWS;
GO
--! error 15407
CREATE LOGIN [CORP\a\b] FROM WINDOWS;
GO
--! error 15407
CREATE LOGIN [CORP\Sue] WITH PASSWORD = 'x';
GO
--! error 15006
ALTER LOGIN Kimberly WITH NAME = [CORP\Kim];
GO
--! error 15006
ALTER LOGIN [CORP\Broker$] WITH NAME = Broker;
GO
--! error 15407
ALTER LOGIN Kimberly WITH CREDENTIAL = Vault;
GO
--! error 40517
ALTER LOGIN Kimberly WITH COLOUR = red;
GO
--! error 102
USE Shop;
CREATE USER Kim FOR LOGIN Kimberly WITH DEFAULT_SCHEMA = dbo; CREATE USER Orphan WITHOUT LOGIN; CREATE ROLE Readers AUTHORIZATION dbo; CREATE APPLICATION ROLE Tool WITH PASSWORD = 'x';
ALTER USER Kim WITH NAME = Kimberly, DEFAULT_SCHEMA = sales;
ALTER USER Orphan WITH LOGIN = Lee;
ALTER ROLE Readers WITH NAME = [Queue readers];
ALTER APPLICATION ROLE Tool WITH NAME = Tool2, PASSWORD = 'y', DEFAULT_SCHEMA = dbo;
SELECT name, type, default_schema_name, SUSER_SNAME(sid) FROM sys.database_principals WHERE name IN ('Kimberly', 'Orphan', 'Queue readers', 'Tool2') ORDER BY name;
GO
--! rows
--! Kimberly | S | sales | Kimberly
--! Orphan | S | dbo | Lee
--! Queue readers | R | NULL | NULL
--! Tool2 | A | dbo | NULL
ALTER USER Orphan WITH LOGIN = Kimberly;
GO
--! error 15063
ALTER USER Orphan WITH LOGIN = Nobody;
GO
--! error 15007
ALTER USER Orphan WITH NAME = Kimberly;
GO
--! error 15023
ALTER USER dbo WITH NAME = owner;
GO
--! error 15150
ALTER ROLE db_owner WITH NAME = owners;
GO
--! error 15150
ALTER ROLE Nobody WITH NAME = x;
GO
--! error 15151
ALTER ROLE [Queue readers] WITH COLOUR = red;
GO
--! error 102
CREATE USER Alone WITH PASSWORD = 'x';
GO
--! error 33233
-- Roles of the server belong to logins.
CREATE SERVER ROLE Watchers AUTHORIZATION sa; CREATE SERVER ROLE Others AUTHORIZATION Kimberly; ALTER SERVER ROLE Watchers WITH NAME = Viewers;
USE master; GRANT VIEW SERVER STATE TO Viewers; USE Shop; ALTER SERVER ROLE Viewers ADD MEMBER Kimberly;
SELECT r.name, o.name FROM sys.server_principals r JOIN sys.server_principals o ON o.principal_id = r.owning_principal_id WHERE r.name IN ('Viewers', 'Others') ORDER BY 1;
CREATE SERVER ROLE More AUTHORIZATION Nobody;
GO
--! rows
--! Others | Kimberly
--! Viewers | sa
--! error 15151
-- dbo grants in his own name what belongs to others.
CREATE SCHEMA sales AUTHORIZATION [Queue readers];
GO
CREATE QUEUE sales.Q;
GRANT RECEIVE ON sales.Q TO Orphan AS dbo; GRANT SELECT ON OBJECT::sales.Q TO Orphan AS [Queue readers];
SELECT permission_name, USER_NAME(grantor_principal_id) FROM sys.database_permissions WHERE major_id = OBJECT_ID('sales.Q') ORDER BY 1;
GO
--! rows
--! RECEIVE | dbo
--! SELECT | Queue readers
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'x';
CREATE CERTIFICATE A WITH SUBJECT = 'a', START_DATE = 'Oct 31 2025', EXPIRY_DATE = '20301231 10:30';
CREATE CERTIFICATE B WITH SUBJECT = 'b', START_DATE = N'10/31/2025', EXPIRY_DATE = N'2031-01-02T03:04:05';
SELECT name, start_date, expiry_date FROM sys.certificates ORDER BY name;
CREATE CERTIFICATE C WITH SUBJECT = 'c', EXPIRY_DATE = '31.31.2030';
GO
--! rows
--! A | 2025-10-31 00:00:00.000 | 2030-12-31 10:30:00.000
--! B | 2025-10-31 00:00:00.000 | 2031-01-02 03:04:05.000
--! error 242
CREATE XML SCHEMA COLLECTION Empty AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:none"/>';
SELECT name FROM sys.xml_schema_collections WHERE name = 'Empty';
GO
--! rows
--! Empty
