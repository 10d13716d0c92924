CREATE TABLE papers (id int, title varchar(20));
CREATE USER ann WITHOUT LOGIN;
CREATE TYPE pages FROM int;
GO
-- HAS_PERMS_BY_NAME: NULL for a column or class that is not there; users are no roles.
SELECT HAS_PERMS_BY_NAME('papers', 'OBJECT', 'SELECT', 'title', 'COLUMN'), HAS_PERMS_BY_NAME('papers', 'OBJECT', 'SELECT', 'pages', 'COLUMN'),
       HAS_PERMS_BY_NAME('papers', 'OBJECT', 'SELECT', 'title', 'ROW'), HAS_PERMS_BY_NAME('dbo.pages', 'TYPE', 'EXECUTE'),
       HAS_PERMS_BY_NAME('ann', 'USER', 'IMPERSONATE'), HAS_PERMS_BY_NAME('ann', 'ROLE', 'ALTER'), HAS_PERMS_BY_NAME('[dbo].[papers]', 'OBJECT', 'DELETE');
GO
--! rows
--! 1 | NULL | NULL | 1 | 1 | NULL | 1
