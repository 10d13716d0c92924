-- CREATE SCHEMA with tables, and ALTER SCHEMA … TRANSFER: tables with their rows, constraints and triggers, modules, types; rights stay behind.
CREATE DATABASE D
GO
USE D
GO
CREATE SCHEMA sales
GO
CREATE TABLE dbo.orders (id int IDENTITY PRIMARY KEY, v int CHECK (v > 0))
INSERT orders (v) VALUES (1), (2)
CREATE TABLE lines (o int REFERENCES orders (id))
INSERT lines VALUES (1)
CREATE USER reader WITHOUT LOGIN
GRANT SELECT ON orders TO reader
GO
CREATE TRIGGER told ON orders AFTER INSERT AS PRINT 'told'
GO
CREATE PROC dbo.p AS SELECT 42 AS answer
GO
CREATE TYPE dbo.ids AS TABLE (id int)
GO
ALTER SCHEMA sales TRANSFER dbo.orders
ALTER SCHEMA sales TRANSFER OBJECT::dbo.p
ALTER SCHEMA sales TRANSFER TYPE::dbo.ids
SELECT * FROM sales.orders ORDER BY id
EXEC sales.p
SELECT SCHEMA_NAME(schema_id), name FROM sys.objects WHERE name IN ('orders', 'p', 'told') ORDER BY name
SELECT COUNT(*) FROM sys.database_permissions WHERE major_id = OBJECT_ID('sales.orders')
GO
--! rows
--! 1 | 1
--! 2 | 2
--! rows
--! 42
--! rows
--! sales | orders
--! sales | p
--! sales | told
--! rows
--! 0
INSERT sales.orders (v) VALUES (3)
INSERT lines VALUES (3)
DECLARE @i sales.ids; INSERT @i VALUES (9); SELECT id FROM @i
GO
--! rows
--! 9
--! print told
INSERT lines VALUES (99)
INSERT sales.orders (v) VALUES (0)
SELECT * FROM dbo.orders
GO
--! error 547
--! error 547
--! error 208
-- The old name is free, and what happens to its schema does not touch the table that has left.
CREATE TABLE dbo.orders (x int)
INSERT orders VALUES (7)
BEGIN TRANSACTION
ALTER SCHEMA dbo TRANSFER sales.p
ROLLBACK
EXEC sales.p
GO
--! rows
--! 42
CREATE SCHEMA other
GO
ALTER SCHEMA other TRANSFER sales.orders
GO
BEGIN TRANSACTION
ALTER SCHEMA sales TRANSFER other.orders
SELECT COUNT(*) FROM sales.orders
ROLLBACK
SELECT COUNT(*) FROM other.orders
SELECT * FROM dbo.orders
GO
--! rows
--! 3
--! rows
--! 3
--! rows
--! 7
ALTER SCHEMA dbo TRANSFER other.orders
GO
--! error 15530
ALTER SCHEMA nope TRANSFER dbo.lines
GO
--! error 15151
ALTER SCHEMA sales TRANSFER dbo.nope
GO
--! error 15151
CREATE VIEW sales.bound WITH SCHEMABINDING AS SELECT o FROM dbo.lines
GO
ALTER SCHEMA sales TRANSFER dbo.lines
GO
--! error 15348
DROP VIEW sales.bound
DROP PROC sales.p
DROP TYPE sales.ids
DROP SCHEMA sales
SELECT COUNT(*) FROM other.orders
GO
--! rows
--! 3
-- A CREATE TABLE behind CREATE SCHEMA is part of it; a semicolon ends it.
CREATE SCHEMA whole AUTHORIZATION dbo
    CREATE TABLE parts (id int PRIMARY KEY, name varchar(10))
    CREATE TABLE whole.pieces (part int REFERENCES whole.parts)
    GRANT SELECT ON SCHEMA::whole TO public
GO
CREATE SCHEMA apart; CREATE TABLE outside (a int)
GO
SELECT SCHEMA_NAME(schema_id), name FROM sys.tables WHERE name IN ('parts', 'pieces', 'outside') ORDER BY name
GO
--! rows
--! dbo | outside
--! whole | parts
--! whole | pieces
CREATE SCHEMA broken CREATE TABLE fine (a int) CREATE TABLE fine (b int)
GO
--! error 2714
--! error 2759
SELECT COUNT(*) FROM sys.schemas WHERE name = 'broken'
GO
--! rows
--! 0
-- The event of a transfer is ALTER_SCHEMA: of the object, in its new schema, once for all that moves along.
CREATE SCHEMA early CREATE TABLE late (a int PRIMARY KEY)
GO
CREATE TABLE told_of (what nvarchar(400))
GO
CREATE TRIGGER hears ON DATABASE FOR DDL_SCHEMA_EVENTS, DDL_TABLE_EVENTS AS
INSERT told_of SELECT CONCAT(e.value('(/*/EventType)[1]', 'sysname'), ' ', e.value('(/*/SchemaName)[1]', 'sysname'), '.', e.value('(/*/ObjectName)[1]', 'sysname'),
    ' ', e.value('(/*/ObjectType)[1]', 'sysname'), ': ', e.value('(/*/TSQLCommand/CommandText)[1]', 'nvarchar(200)')) FROM (SELECT EVENTDATA()) AS t (e)
GO
ALTER SCHEMA dbo TRANSFER early.late
ALTER SCHEMA dbo TRANSFER dbo.late
SELECT what FROM told_of
DROP TRIGGER hears ON DATABASE
GO
--! rows
--! ALTER_SCHEMA dbo.late TABLE: ALTER SCHEMA dbo TRANSFER early.late
--! spec DDLEVENT-92
