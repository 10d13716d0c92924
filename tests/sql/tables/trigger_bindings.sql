-- A trigger knows its table, so that the columns of inserted and deleted are bound when it is created, in every kind of statement; what reads a table that
-- is not there yet is bound when it runs.
CREATE DATABASE TriggerBindings;
GO
USE TriggerBindings;
CREATE TABLE t (a int, b varchar(10));
CREATE TABLE parts (a int, note varchar(10));
GO
CREATE VIEW v AS SELECT a AS shown FROM t;
GO
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT nosuch FROM inserted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS
IF 1 = 0
BEGIN
    SELECT i.nosuch FROM inserted AS i JOIN t ON t.a = i.a;
END;
GO
--! error 207 line 4
CREATE TRIGGER t1 ON t AFTER UPDATE AS
IF EXISTS (SELECT * FROM deleted WHERE nosuch = 1) RETURN;
GO
--! error 207 line 2
CREATE TRIGGER t1 ON t AFTER UPDATE AS
WHILE (SELECT MAX(nosuch) FROM inserted) > 0 BREAK;
GO
--! error 207 line 2
CREATE TRIGGER t1 ON t AFTER UPDATE AS UPDATE parts SET note = nosuch FROM inserted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER DELETE AS DELETE parts WHERE a IN (SELECT d.nosuch FROM deleted AS d);
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS INSERT parts (a) SELECT i.nosuch FROM inserted AS i;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS INSERT parts (a, note) SELECT i.a FROM inserted AS i;
GO
--! error 120 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS
MERGE parts USING inserted AS i ON parts.a = i.nosuch WHEN MATCHED THEN DELETE;
GO
--! error 207 line 2
CREATE TRIGGER t1 ON t AFTER INSERT AS DECLARE @x int = (SELECT nosuch FROM inserted);
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS DECLARE @x int; SET @x = (SELECT nosuch FROM inserted);
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS DECLARE @x int; SELECT @x = nosuch FROM inserted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS DECLARE c CURSOR FOR SELECT nosuch FROM inserted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS DECLARE @t TABLE (i int); INSERT @t SELECT nosuch FROM deleted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS WITH c AS (SELECT nosuch FROM inserted) SELECT * FROM c;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT nosuch INTO #kept FROM inserted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT p.a FROM parts AS p CROSS APPLY (SELECT nosuch FROM inserted) AS d;
GO
--! error 207 line 1
-- A name of the table that is not one of the row set's alias
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT t.a FROM inserted;
GO
--! error 4104 line 2

-- The view's own columns, not those of the table below it
CREATE TRIGGER v1 ON v INSTEAD OF INSERT AS SELECT a FROM inserted;
GO
--! error 207 line 3
CREATE TRIGGER v1 ON v INSTEAD OF INSERT AS SELECT shown FROM inserted;
GO
INSERT v VALUES (5);
GO
--! rows
--! 5

-- ALTER, too
CREATE TRIGGER t1 ON t AFTER INSERT, UPDATE AS SELECT i.a, i.b, d.a FROM inserted AS i LEFT JOIN deleted AS d ON d.a = i.a;
GO
ALTER TRIGGER t1 ON t AFTER INSERT AS SELECT nosuch FROM inserted;
GO
--! error 207 line 1
INSERT t VALUES (1, 'x');
GO
--! rows
--! 1 | x | NULL
DROP TRIGGER t1;
GO

-- A table of the schema that is called so is another one
CREATE TABLE inserted (nosuch int);
GO
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT nosuch FROM inserted;
GO
--! error 207 line 1
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT nosuch FROM dbo.inserted;
GO
DROP TRIGGER t1;
DROP TABLE inserted;
GO

-- Tables that are not there yet, and #tables: bound when it runs
CREATE TRIGGER t1 ON t AFTER INSERT AS SELECT nosuch FROM inserted JOIN later ON later.a = inserted.a;
GO
INSERT t VALUES (2, 'y');
GO
--! error 208 line 3
CREATE TABLE later (a int);
GO
INSERT t VALUES (2, 'y');
GO
--! error 207 line 3
ALTER TRIGGER t1 ON t AFTER INSERT AS SELECT * INTO #kept FROM inserted; SELECT nosuch FROM #kept;
GO
INSERT t VALUES (3, 'z');
GO
--! error 207 line 1

-- A column that goes is missed when the trigger fires
ALTER TRIGGER t1 ON t AFTER INSERT AS SELECT b FROM inserted;
GO
ALTER TABLE t DROP COLUMN b;
GO
INSERT t VALUES (4);
GO
--! error 207 line 3
