-- Locks between sessions: a writer waits for the row or the key that another one holds, then sees what was committed.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V int);
INSERT dbo.T VALUES (1, 10), (2, 20), (3, 30);
GO
--! session one
BEGIN TRAN;
UPDATE dbo.T SET V = V + 1 WHERE Id = 1;
GO
-- Readers do not wait: they see the last committed row.
--! session two
SELECT V FROM dbo.T WHERE Id = 1;
GO
--! rows
--! 10
-- Another row is free.
UPDATE dbo.T SET V = 21 WHERE Id = 2;
GO
--! affected 1
UPDATE dbo.T SET V = V * 2 WHERE Id = 1;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! affected 1
--! session main
SELECT V FROM dbo.T WHERE Id = 1;
GO
--! rows
--! 22
-- The row no longer fits when the lock comes: nothing is updated.
--! session one
BEGIN TRAN;
DELETE dbo.T WHERE Id = 3;
GO
--! session two
UPDATE dbo.T SET V = 0 WHERE Id = 3;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! affected 0
-- The same key in two transactions: the second waits, then fails or goes through.
--! session one
BEGIN TRAN;
INSERT dbo.T VALUES (5, 50);
GO
--! session two
INSERT dbo.T VALUES (5, 51);
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! error 2627
--! session one
BEGIN TRAN;
INSERT dbo.T VALUES (6, 60);
GO
--! session two
INSERT dbo.T VALUES (6, 61);
GO
--! blocked
--! session one
ROLLBACK;
GO
--! finishes two
--! affected 1
-- A key that is being deleted is not free yet.
--! session one
BEGIN TRAN;
DELETE dbo.T WHERE Id = 6;
GO
--! session two
INSERT dbo.T VALUES (6, 62);
GO
--! blocked
--! session one
ROLLBACK;
GO
--! finishes two
--! error 2627
-- LOCK_TIMEOUT gives up.
--! session one
BEGIN TRAN;
UPDATE dbo.T SET V = 1 WHERE Id = 1;
GO
--! session two
SET LOCK_TIMEOUT 0;
UPDATE dbo.T SET V = 2 WHERE Id = 1;
GO
--! error 1222
SET LOCK_TIMEOUT 100;
UPDATE dbo.T SET V = 2 WHERE Id = 1;
GO
--! error 1222
SET LOCK_TIMEOUT -1;
GO
-- DDL waits for writers of the table.
DROP TABLE dbo.T;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! session main
SELECT OBJECT_ID('dbo.T');
GO
--! rows
--! NULL
