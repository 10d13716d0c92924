-- An impersonated user stays that user whatever database a module or dynamic batch went to in between.
CREATE DATABASE Home;
CREATE DATABASE Other;
CREATE LOGIN Bob WITH PASSWORD = 'x';
GO
USE Other;
GO
CREATE PROCEDURE Who AS SELECT USER_NAME(), DB_NAME();
GO
GRANT EXECUTE ON Who TO guest;
GO
USE Home;
CREATE USER Bob FOR LOGIN Bob;
GO
EXECUTE AS USER = 'Bob';
EXEC Other.dbo.Who;
GO
--! error 916 line 2
SELECT USER_NAME(), DB_NAME();
GO
--! rows
--! Bob | Home

EXEC ('USE Other');
GO
--! error 916 line 1
USE Other;
GO
--! error 916 line 1
SELECT USER_NAME(), DB_NAME();
REVERT;
SELECT USER_NAME(), DB_NAME();
GO
--! rows
--! Bob | Home
--! rows
--! dbo | Home

-- A login that is impersonated goes only where it may, and is itself there.
EXECUTE AS LOGIN = 'Bob';
USE Other;
GO
--! error 916 line 4

REVERT;
USE Other;
CREATE USER Bobby FOR LOGIN Bob;
USE Home;
EXECUTE AS LOGIN = 'Bob';
USE Other;
SELECT USER_NAME(), DB_NAME();
EXEC dbo.Who;
REVERT;
GO
--! rows
--! Bobby | Other
--! error 229 line 1
--! error 15199 line 10
USE Home;
REVERT;
SELECT USER_NAME(), DB_NAME();
GO
--! rows
--! dbo | Home

-- A module whose user is gone leaves options and nesting as they were.
USE Home;
CREATE USER Gone WITHOUT LOGIN;
GO
CREATE PROCEDURE Orphan WITH EXECUTE AS 'Gone' AS SELECT 1;
GO
EXECUTE Orphan;
GO
--! rows
--! 1

-- REVERT undoes an EXECUTE AS of its own module or dynamic batch, never one from outside.
CREATE PROCEDURE Slip AS
    REVERT;
    SELECT USER_NAME();
GO
GRANT EXECUTE ON Slip TO Bob;
EXECUTE AS USER = 'Bob';
EXEC ('REVERT');
SELECT USER_NAME();
REVERT;
SELECT USER_NAME();
GO
--! rows
--! Bob
--! rows
--! dbo
CREATE USER Ann WITHOUT LOGIN;
GRANT IMPERSONATE ON USER::Ann TO Bob;
GO
ALTER PROCEDURE Slip AS
    REVERT;
    SELECT USER_NAME();
    EXECUTE AS USER = 'Ann';
    SELECT USER_NAME();
    REVERT;
    SELECT USER_NAME();
GO
EXECUTE AS USER = 'Bob';
EXEC Slip;
SELECT USER_NAME();
REVERT;
GO
--! rows
--! Bob
--! rows
--! Ann
--! rows
--! Bob
--! rows
--! Bob
