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
-- A column has rights of its own, which are stronger than those of its table.
CREATE USER bea WITHOUT LOGIN; CREATE USER cid WITHOUT LOGIN;
CREATE TABLE books (a int, b int, c int);
GRANT SELECT ON books (a, b) TO bea;
GRANT SELECT ON books TO cid; DENY SELECT ON books (c) TO cid;
GO
EXECUTE AS USER = 'bea';
SELECT HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT'), HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT', 'a', 'COLUMN'),
       HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT', '[B]', 'COLUMN'), HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT', 'c', 'COLUMN'),
       HAS_PERMS_BY_NAME('books', 'OBJECT', 'UPDATE', 'a', 'COLUMN'), HAS_PERMS_BY_NAME('books', 'OBJECT', 'ANY', 'a', 'COLUMN');
REVERT;
EXECUTE AS USER = 'cid';
SELECT HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT'), HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT', 'a', 'COLUMN'),
       HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT', 'c', 'COLUMN'), HAS_PERMS_BY_NAME('books', 'OBJECT', 'SELECT', NULL, NULL);
REVERT;
GO
--! rows
--! 0 | 1 | 1 | 0 | 0 | 1
--! rows
--! 1 | 1 | 0 | 1
