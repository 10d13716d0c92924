-- Seven fractional digits in tables: keys, defaults, every way of writing, what is read from disk and from a backup.
CREATE DATABASE Clocks;
GO
USE Clocks;
CREATE TABLE Ticks (
    id int IDENTITY CONSTRAINT pk PRIMARY KEY,
    d datetime2 NOT NULL CONSTRAINT df DEFAULT '2020-01-01 00:00:00.1234567' CONSTRAINT uq UNIQUE,
    t time NULL CHECK (t <> '23:59:59.9999999'),
    o datetimeoffset NULL CONSTRAINT uo UNIQUE,
    v sql_variant NULL,
    n AS DATEADD(ns, 100, d));
INSERT Ticks (t, o, v) VALUES ('01:02:03.7654321', '2020-01-01 00:00:00.1234567 +02:00', CAST('2020-01-01 00:00:00.7654321' AS datetime2));
INSERT Ticks (d, o, v) VALUES ('2020-01-01 00:00:00.1234568', '2020-01-01 00:00:00.1234568 +02:00', CAST('00:00:00.0000001' AS time));
SELECT d, t, o, v, n FROM Ticks ORDER BY d DESC;
GO
--! rows
--! 2020-01-01 00:00:00.1234568 | NULL | 2020-01-01 00:00:00.1234568 +02:00 | 00:00:00.0000001 | 2020-01-01 00:00:00.1234569
--! 2020-01-01 00:00:00.1234567 | 01:02:03.7654321 | 2020-01-01 00:00:00.1234567 +02:00 | 2020-01-01 00:00:00.7654321 | 2020-01-01 00:00:00.1234568
INSERT Ticks (d) VALUES ('2020-01-01 00:00:00.1234568');
GO
--! error 2627 text 2020-01-01 00:00:00.1234568
INSERT Ticks (d, o) VALUES ('2020-01-01 00:00:00.5', '2019-12-31 22:00:00.1234567 +00:00');
GO
--! error 2627 text 2019-12-31 22:00:00.1234567 +00:00
INSERT Ticks (d, o, t) VALUES ('2020-01-01 00:00:00.5', NULL, '23:59:59.9999999');
GO
--! error 547
-- A key is found by its seven digits, and by a text of them.
DECLARE @d datetime2 = '2020-01-01 00:00:00.1234567';
SELECT id FROM Ticks WHERE d = @d;
SELECT id FROM Ticks WHERE d > @d;
SELECT id FROM Ticks WHERE d = '2020-01-01 00:00:00.1234568' OR t = '01:02:03.7654320';
SELECT id FROM Ticks WHERE o = '2020-01-01 01:00:00.1234567 +03:00';
GO
--! rows
--! 1
--! rows
--! 2
--! rows
--! 2
--! rows
--! 1
UPDATE Ticks SET d = DATEADD(ns, 100, d), t = DATEADD(ns, -100, t) OUTPUT deleted.d, inserted.d, inserted.t, inserted.n WHERE id = 2;
UPDATE Ticks SET t = '00:00:00.0000001' WHERE d = '2020-01-01 00:00:00.1234569';
MERGE Ticks AS x USING (SELECT CAST('00:00:00.0000001' AS time) AS t) AS s ON s.t = x.t
WHEN MATCHED THEN UPDATE SET t = DATEADD(ns, 100, x.t) OUTPUT $action, deleted.t, inserted.t;
DELETE Ticks OUTPUT deleted.t WHERE d = '2020-01-01 00:00:00.1234569';
GO
--! rows
--! 2020-01-01 00:00:00.1234568 | 2020-01-01 00:00:00.1234569 | NULL | 2020-01-01 00:00:00.1234570
--! rows
--! UPDATE | 00:00:00.0000001 | 00:00:00.0000002
--! rows
--! 00:00:00.0000002
-- A rollback to a savepoint applies what was written before it once more.
BEGIN TRANSACTION;
INSERT Ticks (d, t, o) VALUES ('2020-01-01 00:00:00.0000001', '10:00:00.0000009', '2020-01-01 00:00:00.0000001 -05:00');
SAVE TRANSACTION before;
UPDATE Ticks SET d = DATEADD(ns, 100, d), t = '00:00', o = DATEADD(ns, 100, o);
ROLLBACK TRANSACTION before;
COMMIT;
SELECT d, t, o FROM Ticks ORDER BY d;
GO
--! rows
--! 2020-01-01 00:00:00.0000001 | 10:00:00.0000009 | 2020-01-01 00:00:00.0000001 -05:00
--! 2020-01-01 00:00:00.1234567 | 01:02:03.7654321 | 2020-01-01 00:00:00.1234567 +02:00
CREATE TABLE Parts (d datetime2 REFERENCES Ticks (d), a datetime2(3), b time(6), c datetimeoffset(0));
INSERT Parts VALUES ('2020-01-01 00:00:00.1234567', '2020-01-01 23:59:59.9995', '23:59:59.9999994', '2020-01-01 23:59:59.5 +01:00');
INSERT Parts VALUES ('2020-01-01 00:00:00.1234568', NULL, NULL, NULL);
GO
--! error 547
-- What has too many digits for its column is rounded, into the next day where it must.
SELECT d, a, b, c FROM Parts;
DELETE Ticks WHERE d = '2020-01-01 00:00:00.1234567';
GO
--! error 547
--! rows
--! 2020-01-01 00:00:00.1234567 | 2020-01-02 00:00:00.000 | 23:59:59.999999 | 2020-01-02 00:00:00 +01:00
-- More digits, and fewer.
ALTER TABLE Parts ALTER COLUMN a datetime2(7);
ALTER TABLE Parts ALTER COLUMN b time(7);
ALTER TABLE Parts ALTER COLUMN c datetimeoffset;
UPDATE Parts SET a = DATEADD(ns, 100, a), b = DATEADD(ns, 500, b), c = DATEADD(ns, -100, c);
SELECT a, b, c FROM Parts;
ALTER TABLE Parts ALTER COLUMN a datetime2(6);
ALTER TABLE Parts ALTER COLUMN b time(6);
ALTER TABLE Parts ALTER COLUMN c datetimeoffset(6);
SELECT a, b, c FROM Parts;
CREATE UNIQUE INDEX Once ON Parts (a, b);
INSERT Parts (a, b) VALUES ('2020-01-02', '00:00:00.0000001'), ('2020-01-02', '00:00:00.0000002');
GO
--! error 2601
--! rows
--! 2020-01-02 00:00:00.0000001 | 23:59:59.9999995 | 2020-01-01 23:59:59.9999999 +01:00
--! rows
--! 2020-01-02 00:00:00.000000 | 00:00:00.000000 | 2020-01-02 00:00:00.000000 +01:00
-- Triggers, table variables, cursors, procedures, functions and views pass them on.
CREATE TABLE Log (old datetime2, new datetime2);
GO
CREATE TRIGGER Written ON Ticks AFTER UPDATE AS INSERT Log SELECT d.d, i.d FROM deleted d JOIN inserted i ON i.id = d.id;
GO
CREATE PROCEDURE Later @d datetime2, @by int, @found datetime2 OUTPUT AS SET @found = DATEADD(ns, @by, @d);
GO
CREATE FUNCTION dbo.Earlier (@t time) RETURNS time AS BEGIN RETURN DATEADD(ns, -100, @t) END;
GO
CREATE VIEW Moments AS SELECT d, t FROM Ticks;
GO
UPDATE Moments SET d = '2020-01-01 00:00:00.0000002' WHERE d = '2020-01-01 00:00:00.0000001';
SELECT old, new FROM Log;
DECLARE @mine TABLE (d datetime2 PRIMARY KEY, t time, o datetimeoffset);
INSERT @mine SELECT d, t, o FROM Ticks;
INSERT @mine VALUES ('2020-01-01 00:00:00.0000003', NULL, NULL);
SELECT d, t, o FROM @mine ORDER BY d;
SELECT m.d, dbo.Earlier(k.t) FROM Ticks k JOIN @mine m ON m.d = k.d ORDER BY m.d;
DECLARE @found datetime2, @t time;
EXECUTE Later '2020-01-01 00:00:00.1234567', 250, @found OUTPUT;
DECLARE one CURSOR LOCAL FOR SELECT t FROM Moments ORDER BY d;
OPEN one;
FETCH one INTO @t;
SELECT @found, @t;
GO
--! rows
--! 2020-01-01 00:00:00.0000001 | 2020-01-01 00:00:00.0000002
--! rows
--! 2020-01-01 00:00:00.0000002 | 10:00:00.0000009 | 2020-01-01 00:00:00.0000001 -05:00
--! 2020-01-01 00:00:00.0000003 | NULL | NULL
--! 2020-01-01 00:00:00.1234567 | 01:02:03.7654321 | 2020-01-01 00:00:00.1234567 +02:00
--! rows
--! 2020-01-01 00:00:00.0000002 | 10:00:00.0000008
--! 2020-01-01 00:00:00.1234567 | 01:02:03.7654320
--! rows
--! 2020-01-01 00:00:00.1234570 | 10:00:00.0000009
BACKUP DATABASE Clocks TO DISK = 'clocks.bak';
UPDATE Ticks SET t = '00:00' WHERE d = '2020-01-01 00:00:00.1234567';
USE master;
RESTORE DATABASE Clocks FROM DISK = 'clocks.bak' WITH REPLACE;
GO
--! restart
--! session later IN Clocks
SELECT d, t, o, v, n FROM Ticks ORDER BY d;
INSERT Ticks DEFAULT VALUES;
GO
--! error 2627
--! rows
--! 2020-01-01 00:00:00.0000002 | 10:00:00.0000009 | 2020-01-01 00:00:00.0000001 -05:00 | NULL | 2020-01-01 00:00:00.0000003
--! 2020-01-01 00:00:00.1234567 | 01:02:03.7654321 | 2020-01-01 00:00:00.1234567 +02:00 | 2020-01-01 00:00:00.7654321 | 2020-01-01 00:00:00.1234568
