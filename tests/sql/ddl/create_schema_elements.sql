-- CREATE SCHEMA with its elements: tables, views, GRANT, DENY and REVOKE are one statement, whatever order they stand in.
CREATE USER reader WITHOUT LOGIN
CREATE USER outsider WITHOUT LOGIN
CREATE TABLE dbo.parts (wrong int)
GO
CREATE SCHEMA shop AUTHORIZATION dbo
    GRANT SELECT, UPDATE ON orders TO reader, outsider
    DENY SELECT ON SCHEMA::shop TO outsider
    CREATE VIEW big AS SELECT id, part FROM orders WHERE id > 1 WITH CHECK OPTION
    CREATE TABLE orders (id int PRIMARY KEY, part int REFERENCES shop.parts (id), spare int REFERENCES parts)
    CREATE VIEW bigger (x) AS WITH found AS (SELECT id FROM big) SELECT id FROM found
    CREATE TABLE parts (id int PRIMARY KEY, last_order int CONSTRAINT fk_last REFERENCES orders (id) ON DELETE SET NULL)
    CREATE VIEW shop.one AS (SELECT 1 AS a)
    REVOKE UPDATE ON shop.orders FROM outsider;
-- Behind a semicolon nothing is an element: this orders is that of the caller's schema.
GRANT INSERT ON orders TO reader
GO
--! error 15151
SELECT COUNT(*) FROM sys.schemas WHERE name = 'shop'
SELECT o.name, o.type FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID('shop') AND o.type IN ('U', 'V') ORDER BY o.name
SELECT OBJECT_NAME(parent_object_id), OBJECT_NAME(referenced_object_id), OBJECT_SCHEMA_NAME(referenced_object_id), delete_referential_action
FROM sys.foreign_keys ORDER BY 1, object_id
SELECT USER_NAME(grantee_principal_id), permission_name, state_desc, OBJECT_NAME(major_id)
FROM sys.database_permissions WHERE USER_NAME(grantee_principal_id) IN ('reader', 'outsider') AND permission_name <> 'CONNECT' AND class = 1 ORDER BY 1, 2
SELECT OBJECT_DEFINITION(OBJECT_ID('shop.big'))
GO
--! rows
--! 1
--! rows
--! big | V
--! bigger | V
--! one | V
--! orders | U
--! parts | U
--! rows
--! orders | parts | shop | 0
--! orders | parts | shop | 0
--! parts | orders | shop | 2
--! rows
--! outsider | SELECT | GRANT | orders
--! reader | SELECT | GRANT | orders
--! reader | UPDATE | GRANT | orders
--! rows
--! CREATE VIEW big AS SELECT id, part FROM orders WHERE id > 1 WITH CHECK OPTION
INSERT shop.orders (id) VALUES (1), (2)
SELECT x FROM shop.bigger
GO
--! rows
--! 2
INSERT shop.big VALUES (0, NULL)
GO
--! error 550
EXECUTE AS USER = 'reader'
SELECT COUNT(*) FROM shop.orders
REVERT
EXECUTE AS USER = 'outsider'
SELECT COUNT(*) FROM shop.orders
GO
--! rows
--! 2
--! error 229
-- Either all of it or nothing, and 2759 behind the error of the element that failed.
REVERT
GO
CREATE TABLE failures (number int, message nvarchar(200))
GO
CREATE PROCEDURE fails @text nvarchar(max) AS
BEGIN TRY EXEC (@text) END TRY BEGIN CATCH INSERT failures VALUES (ERROR_NUMBER(), ERROR_STATE()) END CATCH
GO
EXEC fails N'CREATE SCHEMA shop'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int) CREATE VIEW v AS SELECT y FROM a'
EXEC fails N'CREATE SCHEMA bad CREATE VIEW v AS SELECT x FROM a'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int) CREATE VIEW a AS SELECT 1 AS x'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int) CREATE TABLE a (x int)'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int REFERENCES nix)'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int CONSTRAINT k REFERENCES b) CREATE TABLE b (x int PRIMARY KEY CONSTRAINT k REFERENCES a)'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int) GRANT SELECT ON nix TO reader'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE a (x int) GRANT SELECT ON a TO nobody'
EXEC fails N'CREATE SCHEMA bad CREATE TABLE nowhere.a (x int)'
EXEC fails N'CREATE SCHEMA bad AUTHORIZATION nobody'
SELECT * FROM failures
SELECT COUNT(*) FROM sys.schemas WHERE name = 'bad'
SELECT COUNT(*) FROM sys.objects WHERE name IN ('a', 'b', 'k')
GO
--! rows
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! 2759 | 0
--! rows
--! 0
--! rows
--! 0
CREATE SCHEMA bad CREATE TABLE a (x int REFERENCES nix)
GO
--! error 1767
--! error 1750
--! error 2759
-- What is no element is a statement of its own; a view there ends where one begins.
CREATE SCHEMA alone CREATE VIEW v AS SELECT 1 AS a SELECT a FROM alone.v
GO
--! rows
--! 1
CREATE SCHEMA more CREATE TABLE a (x int) CREATE PROCEDURE p AS SELECT 1
GO
--! error 111
GRANT SELECT ON failures TO reader DENY SELECT ON failures TO outsider REVOKE SELECT ON failures FROM reader GRANT INSERT ON failures TO reader
SELECT permission_name, state_desc FROM sys.database_permissions WHERE major_id = OBJECT_ID('failures') ORDER BY 1
GO
--! rows
--! INSERT | GRANT
--! SELECT | DENY
