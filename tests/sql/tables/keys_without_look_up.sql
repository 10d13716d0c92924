-- A key's values are remembered in the process; these are the moments at which a memory could miss one.
CREATE TABLE dbo.Work (Id int PRIMARY KEY, Code varchar(10) UNIQUE);
CREATE TABLE dbo.Other (Id int);
GO
-- a snapshot that is older than another session's commit
--! session a
BEGIN TRAN;
INSERT dbo.Other VALUES (1);
SELECT COUNT(*) FROM dbo.Other;
GO
--! rows
--! 1
--! session b
INSERT dbo.Work VALUES (1, 'one');
GO
--! session a
INSERT dbo.Work VALUES (1, 'uno');
GO
--! error 2627
INSERT dbo.Work VALUES (2, 'ONE');
GO
--! error 2627
INSERT dbo.Work VALUES (2, 'two');
INSERT dbo.Work VALUES (2, 'zwei');
GO
--! error 2627
ROLLBACK;
GO
-- what was rolled back or deleted is free again
--! session b
INSERT dbo.Work VALUES (2, 'TWO  ');
DELETE dbo.Work WHERE Id = 1;
INSERT dbo.Work VALUES (1, 'ONE');
SELECT Id, Code FROM dbo.Work ORDER BY Id;
GO
--! rows
--! 1 | ONE
--! 2 | TWO  
-- one session waits for the other's key, and finds it taken
--! session a
BEGIN TRAN;
INSERT dbo.Work VALUES (3, 'three');
GO
--! session b
INSERT dbo.Work VALUES (3, 'drei');
GO
--! blocked
--! session a
COMMIT;
GO
--! finishes b
--! error 2627
-- rows that came before the key did, in the transaction that makes the key and in others
BEGIN TRAN;
INSERT dbo.Other VALUES (7);
CREATE UNIQUE INDEX Once ON dbo.Other (Id);
INSERT dbo.Other VALUES (7);
GO
--! error 2601
INSERT dbo.Other VALUES (8);
COMMIT;
GO
--! session b
INSERT dbo.Other VALUES (8);
GO
--! error 2601
DROP INDEX Once ON dbo.Other;
INSERT dbo.Other VALUES (9);
DELETE dbo.Other WHERE Id = 7;
INSERT dbo.Other VALUES (7);
CREATE UNIQUE INDEX Once ON dbo.Other (Id);
GO
INSERT dbo.Other VALUES (9);
GO
--! error 2601
-- an updated key, NULL as a value, several columns
UPDATE dbo.Work SET Id = 30 WHERE Id = 3;
INSERT dbo.Work VALUES (30, 'thirty');
GO
--! error 2627
INSERT dbo.Work VALUES (3, NULL);
INSERT dbo.Work VALUES (4, NULL);
GO
--! error 2627
CREATE TABLE dbo.Pair (A nvarchar(10) COLLATE Latin1_General_CS_AS, B decimal(9, 2), PRIMARY KEY (A, B));
INSERT dbo.Pair VALUES (N'x', 1.5);
INSERT dbo.Pair VALUES (N'X', 1.5);
INSERT dbo.Pair VALUES (N'x', 1.50);
GO
--! error 2627
-- a temporary table, inside and outside a transaction
CREATE TABLE #t (Id int PRIMARY KEY);
INSERT #t VALUES (1);
BEGIN TRAN;
INSERT #t VALUES (2);
ROLLBACK;
INSERT #t VALUES (2);
INSERT #t VALUES (1);
GO
--! error 2627
SELECT Id FROM #t ORDER BY Id;
GO
--! rows
--! 1
--! 2
--! restart
INSERT dbo.Work VALUES (30, 'again');
GO
--! error 2627
INSERT dbo.Work VALUES (31, 'One');
GO
--! error 2627
