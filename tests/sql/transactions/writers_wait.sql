-- Writers search what others have written too, and wait for it: U locks, as on SQL Server.
CREATE TABLE dbo.Cnt (K int PRIMARY KEY, N int);
CREATE TABLE dbo.Heap (K int, N int);
INSERT dbo.Heap VALUES (1, 10), (2, 20);
GO
-- the upsert without a hint, where the first has inserted: no increment is lost
--! session one
BEGIN TRAN;
UPDATE dbo.Cnt SET N += 1 WHERE K = 1;
IF @@ROWCOUNT = 0 INSERT dbo.Cnt VALUES (1, 1);
GO
--! session two
BEGIN TRAN;
UPDATE dbo.Cnt SET N += 1 WHERE K = 1;
IF @@ROWCOUNT = 0 INSERT dbo.Cnt VALUES (1, 1);
COMMIT;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! session main
SELECT K, N FROM dbo.Cnt;
GO
--! rows
--! 1 | 2
--! spec ISOLATION-8
-- a row that nobody has committed is waited for by DELETE, whichever way it ends
--! session one
BEGIN TRAN; INSERT dbo.Heap VALUES (3, 30);
GO
--! session two
DELETE dbo.Heap WHERE K = 3;
GO
--! blocked
--! session one
ROLLBACK;
GO
--! finishes two
--! affected 0
--! session one
BEGIN TRAN; INSERT dbo.Heap VALUES (3, 30);
GO
--! session two
DELETE dbo.Heap WHERE K = 3;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! affected 1
--! spec ISOLATION-3 ISOLATION-4
-- the new image of an update counts, the old one too; another row does not
--! session one
BEGIN TRAN; UPDATE dbo.Heap SET N = 100 WHERE K = 1;
GO
--! session two
UPDATE dbo.Heap SET K = 5 WHERE N = 100;
GO
--! blocked
--! session three
UPDATE dbo.Heap SET K = 6 WHERE N = 10;
GO
--! blocked
--! session four
UPDATE dbo.Heap SET N = 21 WHERE N = 20;
GO
--! affected 1
SELECT N FROM dbo.Heap ORDER BY K;
GO
--! rows
--! 10
--! 21
--! session one
COMMIT;
GO
--! finishes two
--! affected 1
--! finishes three
--! affected 0
--! session main
SELECT K, N FROM dbo.Heap ORDER BY K;
GO
--! rows
--! 2 | 21
--! 5 | 100
--! spec ISOLATION-2 ISOLATION-3 ISOLATION-5
-- what a row has been in between, and what a savepoint has undone, is no image
--! session one
BEGIN TRAN;
UPDATE dbo.Heap SET N = 1 WHERE K = 2; UPDATE dbo.Heap SET N = 2 WHERE K = 2;
SAVE TRAN s; UPDATE dbo.Heap SET N = 3 WHERE K = 2; INSERT dbo.Heap VALUES (9, 9); ROLLBACK TRAN s;
GO
--! session two
UPDATE dbo.Heap SET N = 0 WHERE N IN (1, 3, 9);
GO
--! affected 0
UPDATE dbo.Heap SET N = N * 2 WHERE N = 2;
GO
--! blocked
--! session one
UPDATE dbo.Heap SET K = 22 WHERE K = 2;
COMMIT;
GO
--! finishes two
--! affected 1
--! session main
SELECT N FROM dbo.Heap WHERE K = 22;
UPDATE dbo.Heap SET K = 2, N = 20 WHERE K = 22;
GO
--! rows
--! 4
-- a table that is only joined is read by version; a target that is joined is searched
CREATE TABLE dbo.B (K int, V int); INSERT dbo.B VALUES (2, 7);
GO
--! session one
BEGIN TRAN; UPDATE dbo.B SET V = 8; INSERT dbo.B VALUES (5, 9);
GO
--! session two
UPDATE h SET N = b.V FROM dbo.Heap AS h JOIN dbo.B AS b ON b.K = h.K;
GO
--! affected 1
UPDATE b SET V = 0 FROM dbo.Heap AS h JOIN dbo.B AS b ON b.K = h.K WHERE h.K = 5;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! affected 1
--! session main
SELECT K, N FROM dbo.Heap ORDER BY K; SELECT K, V FROM dbo.B ORDER BY K;
GO
--! rows
--! 2 | 7
--! 5 | 100
--! rows
--! 2 | 8
--! 5 | 0
--! spec ISOLATION-6
-- a view, a common table expression with row numbers, TOP: only what would be taken is waited for
CREATE VIEW dbo.Small AS SELECT K, N FROM dbo.Heap WHERE N < 50;
GO
--! session one
BEGIN TRAN; INSERT dbo.Heap VALUES (2, 5), (7, 70);
GO
--! session two
WITH d AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY K ORDER BY N) AS rn FROM dbo.Heap) DELETE d WHERE rn > 1;
GO
--! blocked
--! session three
UPDATE dbo.Small SET N = 6 WHERE K = 2;
GO
--! blocked
--! session four
WITH d AS (SELECT TOP (1) * FROM dbo.Heap ORDER BY K DESC) UPDATE d SET N += 1;
GO
--! blocked
--! session five
WITH d AS (SELECT TOP (1) * FROM dbo.Heap WHERE K > 2 ORDER BY K) UPDATE d SET N += 1;
UPDATE TOP (1) dbo.Heap SET N += 1 WHERE K > 2;
GO
--! affected 1
--! affected 1
--! session one
ROLLBACK;
GO
--! finishes two
--! affected 0
--! finishes three
--! affected 1
--! finishes four
--! affected 1
--! session main
SELECT K, N FROM dbo.Heap ORDER BY K;
GO
--! rows
--! 2 | 6
--! 5 | 103
--! spec ISOLATION-11
-- MERGE: being there, or not, decides
--! session one
BEGIN TRAN; INSERT dbo.Heap VALUES (8, 80); DELETE dbo.Heap WHERE K = 2;
GO
--! session two
MERGE dbo.Heap AS t USING (VALUES (8)) AS s(k) ON s.k = t.K WHEN NOT MATCHED THEN INSERT VALUES (s.k, 0);
GO
--! blocked
--! session three
MERGE dbo.Heap AS t USING (VALUES (2)) AS s(k) ON s.k = t.K WHEN NOT MATCHED THEN INSERT VALUES (s.k, 0);
GO
--! blocked
--! session four
MERGE dbo.Heap AS t USING (VALUES (5)) AS s(k) ON s.k = t.K
WHEN MATCHED THEN UPDATE SET N = 50 WHEN NOT MATCHED THEN INSERT VALUES (s.k, 0);
GO
--! affected 1
--! session one
COMMIT;
GO
--! finishes two
--! affected 0
--! finishes three
--! affected 1
--! session one
BEGIN TRAN; UPDATE dbo.Heap SET K = 88 WHERE K = 8; INSERT dbo.Heap VALUES (2, 2);
GO
--! session five
MERGE dbo.Heap AS t USING (VALUES (5), (2), (8)) AS s(k) ON s.k = t.K WHEN NOT MATCHED BY SOURCE AND t.N > 2 THEN DELETE;
GO
--! blocked
--! session one
DELETE dbo.Heap WHERE K = 2 AND N = 2;
COMMIT;
GO
--! finishes five
--! affected 1
--! session main
SELECT K, N FROM dbo.Heap ORDER BY K;
GO
--! rows
--! 2 | 0
--! 5 | 50
--! spec ISOLATION-9
-- a search that fails over what nobody has committed waits instead
--! session one
BEGIN TRAN; UPDATE dbo.Heap SET N = 0 WHERE K = 5;
GO
--! session two
UPDATE dbo.Heap SET N = 51 WHERE N <> 0 AND 100 / N = 2;
GO
--! blocked
--! session one
ROLLBACK;
GO
--! finishes two
--! affected 1
--! session one
BEGIN TRAN; UPDATE dbo.Heap SET N = 0 WHERE K = 5;
GO
--! session two
DELETE dbo.Heap WHERE K = 5 AND 100 / N = 1;
GO
--! blocked
--! session one
ROLLBACK;
GO
--! finishes two
--! affected 1
--! spec ISOLATION-12
-- LOCK_TIMEOUT, NOWAIT, READPAST
--! session main
DELETE dbo.Heap; INSERT dbo.Heap VALUES (1, 10), (2, 20);
GO
--! session one
BEGIN TRAN; INSERT dbo.Heap VALUES (3, 30);
GO
--! session two
SET LOCK_TIMEOUT 100;
UPDATE dbo.Heap SET N = 31 WHERE K = 3;
GO
--! error 1222
SET LOCK_TIMEOUT -1;
UPDATE dbo.Heap WITH (NOWAIT) SET N = 31 WHERE K = 3;
GO
--! error 1222
MERGE dbo.Heap WITH (NOWAIT) AS t USING (VALUES (3)) AS s(k) ON s.k = t.K WHEN MATCHED THEN DELETE;
GO
--! error 1222
UPDATE dbo.Heap WITH (READPAST) SET N = 31 WHERE K = 3;
DELETE dbo.Heap WITH (READPAST) WHERE K >= 2;
GO
--! affected 0
--! affected 1
--! spec ISOLATION-20 ISOLATION-21
-- a reader with UPDLOCK waits for the same rows
BEGIN TRAN; SELECT K, N FROM dbo.Heap WITH (UPDLOCK) WHERE N < 30;
GO
--! rows
--! 1 | 10
SELECT K, N FROM dbo.Heap WITH (UPDLOCK, NOWAIT) WHERE N = 30;
GO
--! error 1222
IF @@TRANCOUNT = 0 BEGIN TRAN;
SELECT TOP (1) K FROM dbo.Heap WITH (UPDLOCK) ORDER BY K;
SELECT TOP (1) K FROM dbo.Heap WITH (UPDLOCK) ORDER BY K DESC;
COMMIT;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! rows
--! 1
--! rows
--! 3
--! spec ISOLATION-22
-- a row that was waited for and does not match is free again
--! session one
BEGIN TRAN; UPDATE dbo.Heap SET N = 0 WHERE K = 1;
GO
--! session two
BEGIN TRAN; UPDATE dbo.Heap SET N = 11 WHERE N = 10;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! affected 0
--! session three
UPDATE dbo.Heap SET N = 10 WHERE K = 1;
GO
--! affected 1
--! session two
COMMIT;
GO
--! spec ISOLATION-7
-- two that wait for each other's new rows are a deadlock
--! session one
BEGIN TRAN; INSERT dbo.Heap VALUES (41, 1);
GO
--! session two
BEGIN TRAN; INSERT dbo.Heap VALUES (42, 2);
GO
--! session one
DELETE dbo.Heap WHERE K = 42;
GO
--! blocked
--! session two
DELETE dbo.Heap WHERE K = 41;
GO
--! error 1205
--! finishes one
--! affected 0
--! session one
ROLLBACK;
GO
--! spec ISOLATION-40
-- above 5,000 rows the table lock stands for the rows; where it is not to be had they are searched as one relation
--! session one
BEGIN TRAN; INSERT dbo.Heap SELECT value, 0 FROM GENERATE_SERIES(1001, 7000);
GO
--! session two
UPDATE dbo.Heap SET N = 1 WHERE K = 1;
GO
--! blocked
--! session one
ROLLBACK;
GO
--! finishes two
--! affected 1
--! session three
BEGIN TRAN; UPDATE dbo.Heap SET N = 2 WHERE K = 1;
GO
--! session one
BEGIN TRAN; INSERT dbo.Heap SELECT value, 0 FROM GENERATE_SERIES(1001, 7000); UPDATE dbo.Heap SET N = 7 WHERE K = 6999;
GO
--! session two
UPDATE dbo.Heap SET N = 3 WHERE K = 3;
GO
--! affected 1
DELETE dbo.Heap WHERE N = 7;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! affected 1
--! session three
COMMIT;
GO
--! spec ISOLATION-41
-- at SERIALIZABLE a write that found nothing finds nothing again
--! session one
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
BEGIN TRAN; UPDATE dbo.Cnt SET N = 0 WHERE K = 77;
GO
--! session two
INSERT dbo.Cnt VALUES (77, 1);
GO
--! blocked
--! session one
UPDATE dbo.Cnt SET N = 0 WHERE K = 77;
COMMIT;
GO
--! affected 0
--! finishes two
--! affected 1
--! spec ISOLATION-31
