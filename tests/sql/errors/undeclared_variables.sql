-- A variable that nobody declares is 137 before anything runs, wherever in the statement it stands, and also beside a table that is not there (yet).
CREATE TABLE dbo.t (a int);
GO
DECLARE @x int = (SELECT @nosuch);
GO
--! error 137 line 1
DECLARE @x int; SET @x = (SELECT @nosuch FROM missing);
GO
--! error 137 line 1
IF EXISTS (SELECT * FROM missing WHERE a = @nosuch) PRINT 'ran';
GO
--! error 137 line 1
CREATE PROCEDURE p AS
PRINT 'before';
SELECT (SELECT TOP (@nosuch) a FROM missing);
GO
--! error 137 line 3
CREATE PROCEDURE p AS DECLARE c CURSOR FOR SELECT @nosuch FROM missing;
GO
--! error 137 line 1
CREATE PROCEDURE p AS UPDATE missing SET a = @nosuch;
GO
--! error 137 line 1
CREATE PROCEDURE p AS INSERT missing (a) VALUES (@nosuch);
GO
--! error 137 line 1
CREATE PROCEDURE p AS DELETE missing WHERE a IN (SELECT a FROM t WHERE a = @nosuch);
GO
--! error 137 line 1
CREATE PROCEDURE p AS MERGE missing USING t ON missing.a = @nosuch WHEN MATCHED THEN DELETE;
GO
--! error 137 line 1
CREATE TRIGGER tr ON t AFTER INSERT AS SELECT @nosuch FROM missing, inserted;
GO
--! error 137 line 1
CREATE PROCEDURE p AS DECLARE @x int = (SELECT CAST(a AS nosuch) FROM t);
GO
--! error 243 line 1
CREATE PROCEDURE p AS WHILE (SELECT COUNT(*) FROM @nosuch) > 0 BREAK;
GO
--! error 1087 line 1
-- Declared ones: parameters, table variables, cursors, and system functions that begin with @@
CREATE PROCEDURE p @p int AS
DECLARE @t TABLE (i int);
DECLARE @c CURSOR, @d xml = '<a>1</a>';
DECLARE @x int = (SELECT a FROM missing WHERE b = @p AND c = @@ROWCOUNT);
SET @c = CURSOR FOR SELECT a FROM missing WHERE a = @p;
INSERT missing SELECT i FROM @t WHERE i = @p;
SELECT @d.value('(/a)[1]', 'int') FROM missing;
EXEC nosuch @arg = @x;
GO
DROP PROCEDURE p;
DROP TABLE dbo.t;
