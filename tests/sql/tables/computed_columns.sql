-- Computed columns: those that are not deterministic are worked out whenever they are read.
CREATE FUNCTION dbo.Uncounted (@a int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM dbo.Counted WHERE A >= @a) END;
GO
CREATE FUNCTION dbo.Twice (@a int) RETURNS int WITH SCHEMABINDING AS BEGIN RETURN @a * 2 END;
GO
CREATE TABLE dbo.Counted (A int);
CREATE TABLE dbo.Timed (
    A int, Added AS GETDATE(), Age AS DATEDIFF(second, '20260101', GETDATE()) + A, Who AS @@SPID, Any1 AS NEWID(), Above AS dbo.Uncounted(A),
    Plain AS A * 2 PERSISTED NOT NULL, Bound AS dbo.Twice(A) PERSISTED UNIQUE);
INSERT dbo.Timed (A) VALUES (1), (20);
INSERT dbo.Counted VALUES (5), (25), (30);
SELECT A, Added, Age, Who - @@SPID, Above, Plain, Bound FROM dbo.Timed;
SELECT COUNT(DISTINCT Any1) FROM dbo.Timed;
SELECT IIF((SELECT MIN(CAST(Any1 AS char(36))) FROM dbo.Timed) = (SELECT MIN(CAST(Any1 AS char(36))) FROM dbo.Timed), 'same', 'new');
GO
--! rows
--! 1 | 2026-01-01 00:00:00.000 | 1 | 0 | 3 | 2 | 2
--! 20 | 2026-01-01 00:00:00.000 | 20 | 0 | 2 | 40 | 40
--! rows
--! 2
--! rows
--! new
--! advance 10s
DELETE dbo.Counted WHERE A = 25;
SELECT A, Age, Above FROM dbo.Timed AS t WHERE Age > 10 ORDER BY Age DESC;
UPDATE dbo.Timed SET A = Age OUTPUT deleted.Age, inserted.Age WHERE A = 1;
SELECT MAX(Age), SUM(Above) FROM dbo.Timed;
SELECT IIF(Added = GETDATE(), 1, 0) FROM dbo.Timed WHERE A = 20;
GO
--! rows
--! 20 | 30 | 1
--! 1 | 11 | 2
--! rows
--! 11 | 21
--! rows
--! 30 | 2
--! rows
--! 1
-- added later, in temp tables and table variables, in triggers
ALTER TABLE dbo.Timed ADD Later AS DATEADD(day, 1, CAST(GETDATE() AS date));
GO
SELECT Later FROM dbo.Timed WHERE A = 20;
CREATE TABLE #t (A int, S AS @@SPID + A);
INSERT #t (A) VALUES (1);
SELECT S - @@SPID FROM #t;
DECLARE @t TABLE (A int, D AS DATEPART(second, GETDATE()));
INSERT @t (A) VALUES (1);
SELECT A, D FROM @t;
SELECT * INTO dbo.Copied FROM dbo.Timed;
SELECT COUNT(*) FROM dbo.Copied;
SELECT name, is_computed FROM sys.columns WHERE object_id = OBJECT_ID('dbo.Copied') AND name IN ('Age', 'Plain');
GO
--! rows
--! 2026-01-02
--! rows
--! 1
--! rows
--! 1 | 10
--! rows
--! 2
--! rows
--! Age | 0
--! Plain | 0
CREATE TRIGGER dbo.Look ON dbo.Timed AFTER INSERT AS SELECT A, Age FROM inserted;
GO
INSERT dbo.Timed (A) VALUES (3);
GO
--! rows
--! 3 | 13
-- nobody writes to a computed column
INSERT dbo.Timed (A, Age) VALUES (4, 5);
GO
--! error 271
UPDATE dbo.Timed SET Plain = 5;
GO
--! error 271
MERGE dbo.Timed AS t USING (VALUES (1)) AS s (A) ON t.A = s.A WHEN MATCHED THEN UPDATE SET Age = 1;
GO
--! error 271
-- what needs a value that stays
CREATE TABLE dbo.No (A int, B AS GETDATE() PERSISTED);
GO
--! error 4936
CREATE TABLE dbo.No (A int, B AS @@SPID PERSISTED);
GO
--! error 4936
CREATE TABLE dbo.No (A int, B AS dbo.Uncounted(A) PERSISTED);
GO
--! error 4936
CREATE TABLE dbo.No (A int, B AS NEWID() UNIQUE);
GO
--! error 2729
CREATE TABLE dbo.No (A int, B AS RAND(), INDEX I (B));
GO
--! error 2729
CREATE INDEX I ON dbo.Timed (Age);
GO
--! error 2729
CREATE INDEX I ON dbo.Timed (A) INCLUDE (Age);
GO
--! error 2729
CREATE TABLE dbo.No (A int, B AS A + 1 NOT NULL);
GO
--! error 8183
CREATE TABLE dbo.No (A int, B AS A + 1 CHECK (B > 1));
GO
--! error 8183
CREATE TABLE dbo.Target (A int PRIMARY KEY);
CREATE TABLE dbo.No (A int, B AS A + 1 FOREIGN KEY REFERENCES dbo.Target);
GO
--! error 1764
CREATE TABLE dbo.Yes (A int, B AS A + 1 UNIQUE, C AS A + 2 PERSISTED CHECK (C > 2), D AS A PERSISTED NOT NULL PRIMARY KEY);
CREATE INDEX I ON dbo.Yes (B);
INSERT dbo.Yes (A) VALUES (0);
GO
--! error 547
