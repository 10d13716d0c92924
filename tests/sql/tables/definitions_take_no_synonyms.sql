-- Queries and writes reach a table by its synonym; whatever defines, changes or drops takes the table itself, and nothing of another kind.
CREATE TABLE dbo.goods (id int IDENTITY PRIMARY KEY, b int);
CREATE SYNONYM dbo.wares FOR dbo.goods;
GO
CREATE VIEW dbo.seen AS SELECT id, b FROM dbo.goods;
GO
SET NOCOUNT ON;
INSERT dbo.wares (b) VALUES (1); UPDATE dbo.wares SET b = 2; SELECT b FROM dbo.wares;
GO
--! rows
--! 2
DROP TABLE dbo.wares;
GO
--! error 3705
DROP TABLE IF EXISTS dbo.wares;
GO
DROP TABLE dbo.seen;
GO
--! error 3705
ALTER TABLE dbo.wares ADD c int;
GO
--! error 4909
ALTER TABLE dbo.seen ADD c int;
GO
--! error 4909
ALTER TABLE dbo.nothing ADD c int;
GO
--! error 4902
TRUNCATE TABLE dbo.wares;
GO
--! error 4708
CREATE INDEX ix ON dbo.wares (b);
GO
--! error 1088
CREATE INDEX ix ON dbo.goods (b);
GO
DROP INDEX ix ON dbo.wares;
GO
--! error 3701
CREATE TRIGGER dbo.t ON dbo.wares AFTER INSERT AS PRINT 'fired';
GO
--! error 8197
CREATE TRIGGER dbo.t ON dbo.wares INSTEAD OF INSERT AS PRINT 'fired';
GO
--! error 8197
CREATE TABLE dbo.parts (id int, good int REFERENCES dbo.wares (id));
GO
--! error 1768
--! error 1750
SET IDENTITY_INSERT dbo.wares ON;
GO
--! error 1088
-- What is done to a synonym as an object is done to it alone: it moves, and its owner is that of its schema.
CREATE SCHEMA shelf;
GO
ALTER SCHEMA shelf TRANSFER dbo.wares;
SELECT SCHEMA_NAME(schema_id), name, type_desc FROM sys.objects WHERE name IN ('goods', 'wares') ORDER BY name;
ALTER SCHEMA dbo TRANSFER shelf.wares;
CREATE USER Ann WITHOUT LOGIN;
GO
--! rows
--! dbo | goods | USER_TABLE
--! shelf | wares | SYNONYM
ALTER AUTHORIZATION ON OBJECT::dbo.wares TO Ann;
GO
--! error 40517
EXEC sp_rename 'dbo.wares', 'ware';
EXEC sp_rename 'dbo.ware', 'wares';
SELECT name, principal_id FROM sys.objects WHERE name IN ('goods', 'wares') ORDER BY name;
GO
--! print Caution
--! print Caution
--! rows
--! goods | NULL
--! wares | NULL
-- Nothing has happened to the table, and a synonym goes by its own statement.
SELECT (SELECT COUNT(*) FROM sys.columns WHERE object_id = OBJECT_ID('dbo.goods')), (SELECT COUNT(*) FROM sys.triggers), COUNT(*) FROM dbo.wares;
GO
--! rows
--! 2 | 0 | 1
DROP SYNONYM dbo.wares; SELECT COUNT(*) FROM dbo.goods;
GO
--! rows
--! 1
-- The triggers of a view are switched as those of a table.
CREATE TRIGGER dbo.instead ON dbo.seen INSTEAD OF INSERT AS PRINT 'instead';
GO
DISABLE TRIGGER dbo.instead ON dbo.seen;
GO
SELECT is_disabled FROM sys.triggers WHERE name = 'instead'; INSERT dbo.seen (b) VALUES (5);
GO
--! rows
--! 1
ENABLE TRIGGER ALL ON dbo.seen;
GO
INSERT dbo.seen (b) VALUES (6);
GO
--! print instead
DISABLE TRIGGER ALL ON dbo.nothing;
GO
--! error 208
