-- SNAPSHOT: a transaction sees what was committed when it first read, and may not change what somebody else has changed since.
CREATE DATABASE Snap;
GO
USE Snap;
CREATE TABLE dbo.T (Id int PRIMARY KEY, A int);
CREATE TABLE dbo.U (A int);
INSERT dbo.T VALUES (1, 10), (2, 20);
GO
--! session a IN Snap
SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
BEGIN TRAN;
SELECT A FROM dbo.T;
GO
--! error 3952
IF @@TRANCOUNT > 0 ROLLBACK;
GO
--! session main
ALTER DATABASE Snap SET ALLOW_SNAPSHOT_ISOLATION ON;
GO
--! session a
BEGIN TRAN;
SELECT A FROM dbo.T ORDER BY Id;
GO
--! rows
--! 10
--! 20
--! session main
UPDATE dbo.T SET A = 11 WHERE Id = 1;
INSERT dbo.T VALUES (3, 30);
INSERT dbo.U VALUES (1);
GO
--! session a
SELECT A FROM dbo.T ORDER BY Id;
SELECT COUNT(*) FROM dbo.U;
-- its own changes, and rows that nobody else has touched
UPDATE dbo.T SET A = 21 WHERE Id = 2;
INSERT dbo.U VALUES (2);
SELECT A FROM dbo.T ORDER BY Id;
SELECT A FROM dbo.U;
GO
--! rows
--! 10
--! 20
--! rows
--! 0
--! rows
--! 10
--! 21
--! rows
--! 2
-- a key that was committed meanwhile is taken, although it cannot be seen
INSERT dbo.T VALUES (3, 33);
GO
--! error 2627
UPDATE dbo.T SET A = 12 WHERE Id = 1;
GO
--! error 3960
SELECT @@TRANCOUNT;
SELECT Id, A FROM dbo.T ORDER BY Id;
GO
--! rows
--! 0
--! rows
--! 1 | 11
--! 2 | 20
--! 3 | 30
-- the same when it had to wait for the other
BEGIN TRAN;
SELECT A FROM dbo.T WHERE Id = 2;
GO
--! rows
--! 20
--! session main
BEGIN TRAN;
UPDATE dbo.T SET A = 22 WHERE Id = 2;
GO
--! session a
DELETE dbo.T WHERE Id = 2;
GO
--! blocked
--! session main
COMMIT;
GO
--! finishes a
--! error 3960
-- without a conflict it commits
--! session a
BEGIN TRAN;
SELECT COUNT(*) FROM dbo.U;
GO
--! rows
--! 1
--! session main
INSERT dbo.U VALUES (7);
GO
--! session a
INSERT dbo.U VALUES (8);
SELECT COUNT(*) FROM dbo.U;
COMMIT;
SELECT COUNT(*) FROM dbo.U;
GO
--! rows
--! 2
--! rows
--! 3
