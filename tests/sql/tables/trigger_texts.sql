-- What CREATE TRIGGER refuses in its text: an event named twice, IF UPDATE of a computed column, and writes to inserted and deleted, by whatever name.
CREATE TABLE t (a int, b AS a + 1);
CREATE TABLE other (a int);
GO
CREATE TRIGGER bad ON t AFTER INSERT, UPDATE, INSERT AS RETURN;
GO
--! error 1034 severity 15
CREATE TRIGGER bad ON t INSTEAD OF DELETE, DELETE AS RETURN;
GO
--! error 1034
CREATE TRIGGER bad ON t AFTER UPDATE AS
IF UPDATE (a) AND
    UPDATE (b)
    PRINT 'no';
GO
--! error 2114 severity 16 line 3
CREATE TRIGGER bad ON t AFTER UPDATE AS IF UPDATE (nowhere) PRINT 'no';
GO
--! error 207
CREATE TRIGGER bad ON t AFTER INSERT AS UPDATE inserted SET a = 1;
GO
--! error 286 severity 16 line 1
CREATE TRIGGER bad ON t AFTER INSERT AS
IF 1 = 0
    DELETE Deleted;
GO
--! error 286 line 3
CREATE TRIGGER bad ON t AFTER INSERT AS INSERT inserted (a) VALUES (1);
GO
--! error 286
CREATE TRIGGER bad ON t AFTER INSERT AS MERGE inserted AS i USING other AS o ON i.a = o.a WHEN MATCHED THEN DELETE;
GO
--! error 286
CREATE TRIGGER bad ON t AFTER INSERT AS UPDATE i SET a = 1 FROM other AS o JOIN inserted AS i ON i.a = o.a;
GO
--! error 286
CREATE TRIGGER bad ON t AFTER INSERT AS DELETE d FROM deleted AS d;
GO
--! error 286

-- A table that is called so, with its schema, and an alias of another table are what they are.
CREATE TABLE dbo.inserted (a int);
INSERT dbo.inserted VALUES (1);
INSERT other VALUES (1), (2);
GO
CREATE TRIGGER good ON t AFTER INSERT AS
UPDATE dbo.inserted SET a = a + 10;
UPDATE inserted SET a = inserted.a + 100 FROM other AS inserted JOIN deleted ON 1 = 0;
DELETE deleted FROM other AS deleted JOIN inserted ON deleted.a = inserted.a;
WITH deleted AS (SELECT a FROM dbo.inserted) UPDATE deleted SET a = a + 5;
GO
INSERT t (a) VALUES (2);
SELECT a FROM dbo.inserted; SELECT a FROM other;
GO
--! rows
--! 16
--! rows
--! 1
