-- READ COMMITTED: each statement sees what is committed when it begins, also inside a transaction that has written.
CREATE TABLE dbo.A (V int); CREATE TABLE dbo.B (V int);
INSERT dbo.B VALUES (1);
GO
--! session one
BEGIN TRAN;
INSERT dbo.A VALUES (1);
SELECT V FROM dbo.B;
GO
--! rows
--! 1
--! session two
UPDATE dbo.B SET V = 2;
INSERT dbo.A VALUES (7);
SELECT V FROM dbo.A;
GO
--! rows
--! 7
--! session one
SELECT V FROM dbo.B;
SELECT V FROM dbo.A ORDER BY V;
UPDATE dbo.B SET V += 10;
SELECT V FROM dbo.B;
GO
--! rows
--! 2
--! rows
--! 1
--! 7
--! rows
--! 12
--! session two
SELECT V FROM dbo.B;
GO
--! rows
--! 2
--! session one
COMMIT;
GO
--! session two
SELECT V FROM dbo.B;
GO
--! rows
--! 12
-- A child waits for the parent that somebody is about to delete, and the other way round.
CREATE TABLE dbo.P (Id int PRIMARY KEY); CREATE TABLE dbo.C (P int REFERENCES dbo.P);
INSERT dbo.P VALUES (1), (2);
GO
--! session one
BEGIN TRAN;
DELETE dbo.P WHERE Id = 1;
GO
--! session two
INSERT dbo.C VALUES (1);
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! error 547
--! session one
BEGIN TRAN;
INSERT dbo.C VALUES (2);
GO
--! session two
DELETE dbo.P WHERE Id = 2;
GO
--! blocked
--! session one
COMMIT;
GO
--! finishes two
--! error 547
