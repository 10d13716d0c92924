-- WITH ENCRYPTION hides a text, WITH SCHEMABINDING keeps what the module rests on, sp_settriggerorder orders triggers.
CREATE TABLE t (a int, b int)
GO
CREATE PROC hidden WITH ENCRYPTION AS SELECT 1 AS found
GO
EXEC hidden
EXEC sp_helptext 'hidden'
SELECT definition, OBJECT_DEFINITION(object_id) FROM sys.sql_modules WHERE object_id = OBJECT_ID('hidden')
GO
--! rows
--! 1
--! rows
--! NULL | NULL
--! print 'hidden' is encrypted
CREATE FUNCTION bound () RETURNS int WITH SCHEMABINDING AS BEGIN RETURN (SELECT COUNT(*) FROM dbo.t WHERE a > 0) END
GO
CREATE VIEW over_it WITH SCHEMABINDING AS SELECT dbo.bound() AS n
GO
ALTER TABLE t DROP COLUMN b
ALTER TABLE t ADD c int
GO
ALTER TABLE t ALTER COLUMN a bigint
GO
--! error 5074
--! error 4922
DROP FUNCTION bound
GO
--! error 3729
DROP VIEW over_it
DROP FUNCTION bound
ALTER TABLE t ALTER COLUMN a bigint
GO
CREATE TRIGGER one ON t AFTER INSERT, UPDATE AS PRINT 'one'
GO
CREATE TRIGGER two ON t AFTER INSERT AS PRINT 'two'
GO
CREATE TRIGGER three ON t AFTER INSERT AS PRINT 'three'
GO
INSERT t (a) VALUES (1)
GO
--! print one
--! print two
--! print three
EXEC sp_settriggerorder @triggername = 'dbo.three', @order = 'First', @stmttype = 'INSERT'
EXEC sp_settriggerorder 'one', 'Last', 'INSERT'
INSERT t (a) VALUES (1)
GO
--! print three
--! print two
--! print one
EXEC sp_settriggerorder 'two', 'first', 'INSERT'
GO
--! error 15130
EXEC sp_settriggerorder 'two', 'first', 'DELETE'
GO
--! error 15125
EXEC sp_settriggerorder 'two', 'second', 'INSERT'
GO
--! error 15600
EXEC sp_settriggerorder 'nope', 'first', 'INSERT'
GO
--! error 15165
EXEC sp_settriggerorder 'three', 'None', 'INSERT'
GO
ALTER TRIGGER one ON t AFTER INSERT AS PRINT 'one again'
GO
INSERT t (a) VALUES (1)
GO
--! print one again
--! print two
--! print three
-- An INSTEAD OF trigger writes to its own table without firing again, whatever RECURSIVE_TRIGGERS says.
CREATE TABLE io (a int)
GO
CREATE TRIGGER tenfold ON io INSTEAD OF INSERT AS INSERT io SELECT a * 10 FROM inserted
GO
CREATE TRIGGER again ON io INSTEAD OF INSERT, DELETE AS PRINT 'never'
GO
--! error 2111
ALTER DATABASE CURRENT SET RECURSIVE_TRIGGERS ON
INSERT io VALUES (1), (2)
SELECT a FROM io ORDER BY a
GO
--! rows
--! 10
--! 20
CREATE FUNCTION calls () RETURNS int AS BEGIN EXEC hidden RETURN 1 END
GO
SELECT dbo.calls()
GO
--! error 557
-- The same for UPDATE, DELETE and MERGE of the trigger.
CREATE TABLE io2 (a int, b int)
GO
CREATE TRIGGER io2_update ON io2 INSTEAD OF UPDATE AS UPDATE io2 SET b = i.b + 100 FROM inserted AS i WHERE i.a = io2.a
GO
CREATE TRIGGER io2_delete ON io2 INSTEAD OF DELETE AS DELETE io2 WHERE a IN (SELECT a FROM deleted) AND b <> 102
GO
CREATE TRIGGER io2_insert ON io2 INSTEAD OF INSERT AS
MERGE io2 AS t USING inserted AS i ON t.a = i.a WHEN NOT MATCHED THEN INSERT (a, b) VALUES (i.a, i.b * 2);
GO
INSERT io2 VALUES (1, 1), (2, 1)
UPDATE io2 SET b = 2 WHERE a = 1
UPDATE io2 SET b = 7 WHERE a = 2
DELETE io2
SELECT * FROM io2
GO
--! rows
--! 1 | 102
