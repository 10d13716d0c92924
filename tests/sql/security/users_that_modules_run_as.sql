-- A user that modules run as cannot be dropped, by whatever way it is asked for; SELF is the user who has made the module.
CREATE USER p WITHOUT LOGIN; CREATE USER f WITHOUT LOGIN; CREATE USER t WITHOUT LOGIN; CREATE USER maker WITHOUT LOGIN; CREATE USER d WITHOUT LOGIN;
CREATE TABLE dbo.rows (a int);
GO
CREATE PROCEDURE dbo.as_p WITH EXECUTE AS 'p' AS SELECT USER_NAME();
GO
CREATE FUNCTION dbo.as_f () RETURNS sysname WITH EXECUTE AS 'f' AS BEGIN RETURN USER_NAME() END
GO
CREATE TRIGGER as_t ON dbo.rows WITH EXECUTE AS 't' AFTER INSERT AS RETURN;
GO
CREATE TRIGGER as_d ON DATABASE WITH EXECUTE AS 'd' FOR CREATE_VIEW AS RETURN;
GO
GRANT CREATE PROCEDURE TO maker; GRANT ALTER ON SCHEMA::dbo TO maker;
GO
EXECUTE AS USER = 'maker';
GO
CREATE PROCEDURE dbo.as_maker WITH EXECUTE AS SELF AS SELECT USER_NAME();
GO
REVERT;
GO
DROP USER p;
GO
--! error 15136
DROP USER f;
GO
--! error 15136
DROP USER t;
GO
--! error 15136
DROP USER d;
GO
--! error 15136
DROP USER maker;
GO
--! error 15136
EXEC sp_dropuser 'p';
GO
--! error 15136
--! spec OWNER-6
-- They are all there, and once nothing runs as them any more they go.
SELECT name FROM sys.database_principals WHERE name IN ('p', 'f', 't', 'd', 'maker') ORDER BY name;
EXEC dbo.as_p;
GO
--! rows
--! d
--! f
--! maker
--! p
--! t
--! rows
--! p
DROP TRIGGER as_d ON DATABASE; DROP TABLE dbo.rows; DROP FUNCTION dbo.as_f; DROP PROCEDURE dbo.as_maker;
GO
ALTER PROCEDURE dbo.as_p AS SELECT USER_NAME();
GO
DROP USER p; DROP USER f; DROP USER t; DROP USER d; DROP USER maker;
SELECT COUNT(*) FROM sys.database_principals WHERE name IN ('p', 'f', 't', 'd', 'maker');
GO
--! rows
--! 0
