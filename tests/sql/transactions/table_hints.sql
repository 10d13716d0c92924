-- Table hints that lock: queues in tables, upserts, mutexes.
CREATE TABLE dbo.Jobs (Id int PRIMARY KEY, State int, Body varchar(20));
INSERT dbo.Jobs VALUES (1, 0, 'one'), (2, 0, 'two'), (3, 0, 'three'), (4, 0, 'four');
CREATE TABLE dbo.Counters (Name varchar(10) PRIMARY KEY, Value int);
GO
-- the classic take of a queue in a table: each consumer gets another row, and nobody waits
--! session a
BEGIN TRAN;
DELETE TOP (1) FROM dbo.Jobs WITH (ROWLOCK, READPAST) OUTPUT deleted.Id;
GO
--! rows
--! 1
--! session b
BEGIN TRAN;
WITH q AS (SELECT TOP (1) * FROM dbo.Jobs WITH (ROWLOCK, READPAST, UPDLOCK) ORDER BY Id)
DELETE FROM q OUTPUT deleted.Id, deleted.Body;
GO
--! rows
--! 2 | two
--! session c
BEGIN TRAN;
DECLARE @id int;
SELECT TOP (1) @id = Id FROM dbo.Jobs WITH (UPDLOCK, READPAST) WHERE State = 0 ORDER BY Id;
SELECT @id;
UPDATE dbo.Jobs SET State = 1 WHERE Id = @id;
GO
--! rows
--! 3
--! session d
BEGIN TRAN;
UPDATE TOP (1) dbo.Jobs WITH (READPAST) SET State = 1 OUTPUT inserted.Id WHERE State = 0;
SELECT Id FROM dbo.Jobs WITH (READPAST) ORDER BY Id;
SELECT Id FROM dbo.Jobs ORDER BY Id;
GO
--! rows
--! 4
--! rows
--! 4
--! rows
--! 1
--! 2
--! 3
--! 4
--! session a
ROLLBACK;
GO
--! session d
SELECT Id FROM dbo.Jobs WITH (READPAST) ORDER BY Id;
ROLLBACK;
GO
--! rows
--! 1
--! 4
--! session b
COMMIT;
GO
--! session c
COMMIT;
SELECT Id, State FROM dbo.Jobs ORDER BY Id;
GO
--! rows
--! 1 | 0
--! 3 | 1
--! 4 | 0
-- UPDLOCK without READPAST waits for the other reader, and then reads what it left
--! session a
BEGIN TRAN;
SELECT Id FROM dbo.Jobs WITH (UPDLOCK) WHERE Id = 1;
GO
--! rows
--! 1
--! session b
BEGIN TRAN;
SELECT Body FROM dbo.Jobs WITH (UPDLOCK) WHERE Id = 1;
GO
--! blocked
--! session c
-- another row, and readers without the hint, go on
SELECT Body FROM dbo.Jobs WHERE Id = 1;
UPDATE dbo.Jobs SET State = 5 WHERE Id = 4;
GO
--! rows
--! one
--! session a
UPDATE dbo.Jobs SET Body = 'changed' WHERE Id = 1;
COMMIT;
GO
--! finishes b
--! rows
--! changed
--! session b
COMMIT;
GO
-- the same for a join and inside an expression
--! session a
BEGIN TRAN;
SELECT j.Id FROM dbo.Jobs AS j WITH (UPDLOCK) JOIN (VALUES (3)) AS v(x) ON v.x = j.Id;
GO
--! rows
--! 3
--! session b
SET LOCK_TIMEOUT 0;
BEGIN TRAN;
DECLARE @b varchar(20) = (SELECT Body FROM dbo.Jobs WITH (UPDLOCK) WHERE Id = 1);
SELECT @b;
SET @b = (SELECT Body FROM dbo.Jobs WITH (XLOCK) WHERE Id = 3);
GO
--! rows
--! changed
--! error 1222
IF @@TRANCOUNT > 0 ROLLBACK;
SET LOCK_TIMEOUT -1;
GO
--! session a
ROLLBACK;
GO
-- NOWAIT is a lock timeout of nothing
--! session a
BEGIN TRAN; UPDATE dbo.Jobs SET State = 9 WHERE Id = 3;
GO
--! session b
UPDATE dbo.Jobs WITH (NOWAIT) SET State = 8 WHERE Id = 3;
GO
--! error 1222
BEGIN TRAN; SELECT Id FROM dbo.Jobs WITH (UPDLOCK, NOWAIT);
GO
--! error 1222
IF @@TRANCOUNT > 0 ROLLBACK;
GO
--! session a
ROLLBACK;
GO
-- the upsert: the second one waits and then updates
--! session a
BEGIN TRAN;
IF NOT EXISTS (SELECT 1 FROM dbo.Counters WITH (UPDLOCK, HOLDLOCK) WHERE Name = 'x')
    INSERT dbo.Counters VALUES ('x', 1)
ELSE UPDATE dbo.Counters SET Value += 1 WHERE Name = 'x';
GO
--! session b
BEGIN TRAN;
IF NOT EXISTS (SELECT 1 FROM dbo.Counters WITH (UPDLOCK, HOLDLOCK) WHERE Name = 'x')
    INSERT dbo.Counters VALUES ('x', 1)
ELSE UPDATE dbo.Counters SET Value += 1 WHERE Name = 'x';
COMMIT;
SELECT Value FROM dbo.Counters;
GO
--! blocked
--! session a
COMMIT;
GO
--! finishes b
--! rows
--! 2
-- a table as a mutex
--! session a
BEGIN TRAN;
SELECT Name FROM dbo.Counters WITH (TABLOCKX) WHERE 1 = 0;
GO
--! session b
INSERT dbo.Counters VALUES ('y', 1);
GO
--! blocked
--! session a
COMMIT;
GO
--! finishes b
-- SERIALIZABLE readers keep writers out until they end, and do not disturb each other
--! session a
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
BEGIN TRAN;
SELECT COUNT(*) FROM dbo.Counters;
GO
--! rows
--! 2
--! session b
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
BEGIN TRAN;
SELECT COUNT(*) FROM dbo.Counters;
GO
--! rows
--! 2
--! session c
INSERT dbo.Counters VALUES ('z', 1);
GO
--! blocked
--! session b
COMMIT;
GO
--! session a
SELECT COUNT(*) FROM dbo.Counters;
COMMIT;
GO
--! rows
--! 2
--! finishes c
-- two of them that then write are a deadlock
--! session a
BEGIN TRAN;
IF NOT EXISTS (SELECT 1 FROM dbo.Counters WHERE Name = 'w') PRINT 'none';
GO
--! print none
--! session b
BEGIN TRAN;
IF NOT EXISTS (SELECT 1 FROM dbo.Counters WHERE Name = 'w') PRINT 'none';
GO
--! print none
--! session a
INSERT dbo.Counters VALUES ('w', 1);
GO
--! blocked
--! session b
INSERT dbo.Counters VALUES ('w', 2);
GO
--! error 1205
--! finishes a
--! session a
COMMIT;
SELECT Value FROM dbo.Counters WHERE Name = 'w';
GO
--! rows
--! 1
