CREATE SCHEMA s1
GO
CREATE SCHEMA s2
GO
CREATE TABLE s1.t (a int)
GO
-- a trigger is in the schema of its table
CREATE TRIGGER s2.wrong ON s1.t AFTER INSERT AS PRINT 'never'
GO
--! error 2103
CREATE TRIGGER dbo.wrong ON s1.t AFTER INSERT AS PRINT 'never'
GO
--! error 2103
CREATE TRIGGER noted ON s1.t AFTER INSERT AS PRINT 'noted'
GO
SELECT SCHEMA_NAME(schema_id) FROM sys.objects WHERE name = 'noted'
INSERT INTO s1.t VALUES (1)
GO
--! rows
--! s1
--! print noted
ALTER TRIGGER noted ON s1.t AFTER INSERT AS PRINT 'noted again'
GO
INSERT INTO s1.t VALUES (1)
GO
--! print noted again
--! spec STAND-13
DROP TRIGGER noted
GO
--! error 3701
DROP TRIGGER s1.noted
GO
CREATE VIEW s1.v AS ((SELECT a FROM s1.t))
GO
CREATE TRIGGER s2.wrong ON s1.v INSTEAD OF INSERT AS PRINT 'never'
GO
--! error 2103

-- what functions take and return
CREATE FUNCTION f() RETURNS text AS BEGIN RETURN 'a' END
GO
--! error 2733
CREATE FUNCTION f() RETURNS ntext AS BEGIN RETURN N'a' END
GO
--! error 2733
CREATE FUNCTION f() RETURNS image AS BEGIN RETURN 0x1 END
GO
--! error 2733
CREATE FUNCTION f() RETURNS timestamp AS BEGIN RETURN 0x1 END
GO
--! error 2733
CREATE TYPE note FROM text
GO
CREATE FUNCTION f() RETURNS note AS BEGIN RETURN 'a' END
GO
--! error 2733
CREATE FUNCTION f(@a timestamp) RETURNS int AS BEGIN RETURN 1 END
GO
--! error 2724
CREATE FUNCTION f(@a text, @b note, @c xml) RETURNS varchar(max) AS BEGIN RETURN 'a' END
GO
--! spec STAND-11

-- 2,100 parameters
DECLARE @list varchar(max) = (SELECT STRING_AGG(CONCAT('@p', CAST(value AS varchar(max)), ' int = 1'), ',') FROM GENERATE_SERIES(1, 2100))
EXEC ('CREATE PROCEDURE p ' + @list + ' AS PRINT @p2100')
EXEC ('CREATE FUNCTION f2 (' + @list + ') RETURNS int AS BEGIN RETURN 1 END')
EXEC p
GO
--! print 1
DECLARE @list varchar(max) = (SELECT STRING_AGG(CONCAT('@p', CAST(value AS varchar(max)), ' int = 1'), ',') FROM GENERATE_SERIES(1, 2101))
EXEC ('CREATE PROCEDURE p2 ' + @list + ' AS PRINT @p2101')
EXEC ('CREATE FUNCTION f3 (' + @list + ') RETURNS int AS BEGIN RETURN 1 END')
GO
--! error 180
--! error 180
--! spec STAND-12

-- any number of parentheses
DECLARE c CURSOR FOR ((SELECT 1 AS a UNION ALL SELECT 2))
OPEN c
FETCH c
CLOSE c
DEALLOCATE c
(((SELECT 3 AS a)))
SELECT a FROM s1.v WHERE 1 = 0
GO
--! rows
--! 1
--! rows
--! 3
--! rows
CREATE PROCEDURE q AS ((SELECT 4 AS a))
GO
EXEC q
GO
--! rows
--! 4
--! spec STAND-5
-- UPDATE() asks for a column of the trigger's table.
CREATE TRIGGER s1.asks ON s1.t AFTER UPDATE AS IF UPDATE(a) AND UPDATE(nowhere) PRINT 'never'
GO
--! error 207
