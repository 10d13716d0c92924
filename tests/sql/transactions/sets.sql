-- Writes of all rows of a table, which tests/unit/writes/test_sets.py also runs as sets: rollbacks, savepoints, readers and writers of other sessions.
CREATE TABLE dbo.A (Id int PRIMARY KEY, V int);
CREATE TABLE dbo.B (Id int, V int);
INSERT dbo.A SELECT value, 0 FROM GENERATE_SERIES(1, 20);
GO
CREATE FUNCTION dbo.Total() RETURNS int AS BEGIN RETURN (SELECT SUM(V) FROM dbo.A) END;
GO
-- readers see what is committed, writers wait; a savepoint brings back what was there
--! session one
BEGIN TRAN;
UPDATE dbo.A SET V = V + 1;
GO
--! affected 20
--! session two
SELECT SUM(V) FROM dbo.A;
GO
--! rows
--! 0
UPDATE dbo.A SET V = V + 10;
GO
--! blocked
--! session one
SAVE TRAN s;
DELETE dbo.A WHERE Id > 10;
INSERT dbo.A SELECT Id + 100, V FROM dbo.A;
SELECT COUNT(*), SUM(V), SUM(Id) FROM dbo.A;
ROLLBACK TRAN s;
SELECT COUNT(*), SUM(V), SUM(Id) FROM dbo.A;
GO
--! rows
--! 20 | 20 | 1110
--! rows
--! 20 | 20 | 210
COMMIT;
GO
--! finishes two
--! affected 20
SELECT SUM(V) FROM dbo.A;
GO
--! rows
--! 220
-- a newer snapshot for another table, and a query that fails, leave what the transaction has written
UPDATE dbo.A SET V = 0;
GO
BEGIN TRAN;
UPDATE dbo.A SET V = 1;
SELECT SUM(V) FROM dbo.A;
GO
--! rows
--! 20
--! session two
INSERT dbo.B SELECT value, 7 FROM GENERATE_SERIES(1, 5);
GO
--! session one
SELECT COUNT(*) FROM dbo.B;
SELECT SUM(V), dbo.Total() FROM dbo.A;
GO
--! rows
--! 5
--! rows
--! 20 | 20
SELECT 1 / (V - 1) FROM dbo.A;
GO
--! error 8134
UPDATE dbo.A SET V = b.V FROM dbo.A JOIN dbo.B AS b ON b.Id = A.Id;
SELECT SUM(V), MAX(V) FROM dbo.A;
GO
--! rows
--! 50 | 7
MERGE dbo.A USING (SELECT Id + 18 AS Id, V FROM dbo.B) AS s ON s.Id = A.Id
WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.Id, s.V);
SELECT COUNT(*), SUM(Id), SUM(V) FROM dbo.A;
GO
--! rows
--! 21 | 237 | 69
-- a cursor that is open meets what its own session has written
DECLARE c CURSOR DYNAMIC FOR SELECT Id, V FROM dbo.A ORDER BY Id;
OPEN c;
FETCH NEXT FROM c;
UPDATE dbo.A SET V = 5;
FETCH NEXT FROM c;
CLOSE c; DEALLOCATE c;
GO
--! rows
--! 1 | 7
--! rows
--! 2 | 5
ROLLBACK;
SELECT COUNT(*), SUM(V) FROM dbo.A;
GO
--! rows
--! 20 | 0
-- a statement that fails leaves nothing of itself, and all that was before
BEGIN TRAN;
UPDATE dbo.A SET V = 3;
INSERT dbo.A SELECT Id + 19, V FROM dbo.A;
GO
--! error 2627
SELECT COUNT(*), SUM(V) FROM dbo.A;
COMMIT;
GO
--! rows
--! 20 | 60
--! restart
SELECT COUNT(*), SUM(V) FROM dbo.A;
GO
--! rows
--! 20 | 60
