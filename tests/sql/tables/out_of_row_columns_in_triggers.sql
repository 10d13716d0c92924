-- text, ntext and image columns of inserted and deleted: none in AFTER triggers (311, when the trigger is made), all in INSTEAD OF triggers.
CREATE TABLE notes (id int PRIMARY KEY, t text, n ntext, i image, m varchar(max))
CREATE TABLE told (id int, m varchar(max))
GO
CREATE TRIGGER after_t ON notes AFTER INSERT AS
    SELECT t FROM inserted
GO
--! error 311
CREATE TRIGGER after_n ON notes FOR UPDATE AS
    IF EXISTS (SELECT 1 FROM deleted AS d WHERE d.n LIKE 'a%') PRINT 'x'
GO
--! error 311
CREATE TRIGGER after_i ON notes AFTER DELETE AS
    INSERT told (id) SELECT DATALENGTH(d.i) FROM deleted AS d JOIN notes ON notes.id = d.id
GO
--! error 311
CREATE TRIGGER after_all ON notes AFTER INSERT AS
    SELECT * FROM inserted
GO
--! error 311
CREATE TRIGGER after_derived ON notes AFTER INSERT AS
    SELECT id FROM (SELECT * FROM inserted) AS d
GO
--! error 311
CREATE TRIGGER after_update ON notes AFTER INSERT AS
    UPDATE told SET m = i.t FROM told JOIN inserted AS i ON i.id = told.id
GO
--! error 311
CREATE TRIGGER after_variable ON notes AFTER INSERT AS
    DECLARE @m varchar(max)
    SELECT @m = CAST(t AS varchar(max)) FROM inserted
GO
--! error 311
CREATE TRIGGER after_cursor ON notes AFTER INSERT AS
    DECLARE c CURSOR LOCAL FOR SELECT t FROM inserted
    OPEN c
GO
--! error 311
SELECT COUNT(*) FROM sys.triggers
GO
--! rows
--! 0
-- The other columns are there, the number of rows is, and the table itself has all.
CREATE TRIGGER after_fine ON notes AFTER INSERT, UPDATE, DELETE AS
    IF NOT EXISTS (SELECT * FROM inserted) AND EXISTS (SELECT * FROM deleted) INSERT told VALUES (-1, 'deleted')
    IF UPDATE(t) INSERT told SELECT COUNT(*), 'changed' FROM inserted
    INSERT told SELECT i.id, n.t FROM inserted AS i JOIN notes AS n ON n.id = i.id WHERE i.m IS NOT NULL
GO
INSERT notes VALUES (1, 'first', N'n', 0x01, 'm')
DELETE notes
SELECT id, m FROM told
GO
--! rows
--! 1 | changed
--! 1 | first
--! -1 | deleted
DROP TRIGGER after_fine
GO
CREATE TRIGGER instead ON notes INSTEAD OF INSERT AS
    INSERT notes SELECT id + 1, t, n, i, m FROM inserted
GO
INSERT notes VALUES (1, 'first', N'n', 0x01, 'm')
SELECT id, t, n, i FROM notes
GO
--! rows
--! 2 | first | n | 0x01
