-- A cycle of waits is refused to the one who would close it: 1205, and its transaction is gone.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V int);
INSERT dbo.T VALUES (1, 0), (2, 0);
GO
--! session one
BEGIN TRAN;
UPDATE dbo.T SET V = 1 WHERE Id = 1;
GO
--! session two
BEGIN TRAN;
UPDATE dbo.T SET V = 2 WHERE Id = 2;
GO
--! session one
UPDATE dbo.T SET V = 1 WHERE Id = 2;
GO
--! blocked
--! session two
UPDATE dbo.T SET V = 2 WHERE Id = 1;
GO
--! error 1205
--! finishes one
--! affected 1
--! session two
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
--! session one
COMMIT;
SELECT Id, V FROM dbo.T ORDER BY Id;
GO
--! rows
--! 1 | 1
--! 2 | 1
