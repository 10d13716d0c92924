-- READPAST passes by what is locked: it needs a level that locks rows, and no ranges.
CREATE DATABASE D
GO
ALTER DATABASE D SET ALLOW_SNAPSHOT_ISOLATION ON
GO
USE D
GO
CREATE TABLE t (id int PRIMARY KEY)
INSERT t VALUES (1)
CREATE TABLE #own (id int)
GO
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE
GO
SELECT id FROM t WITH (READPAST)
GO
--! error 650 line 1 severity 16
--! spec ISOLATION-24
DELETE t WITH (READPAST)
GO
--! error 650
SELECT id FROM #own WITH (ROWLOCK, UPDLOCK, READPAST)
GO
--! error 650
IF EXISTS (SELECT * FROM t WITH (READPAST)) PRINT 'there'
GO
--! error 650
SELECT id FROM t WITH (READPAST, READCOMMITTED)
SELECT id FROM t WITH (READPAST, READCOMMITTEDLOCK)
SELECT id FROM t WITH (REPEATABLEREAD, READPAST)
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 1
SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED
GO
SELECT id FROM t WITH (READPAST)
GO
--! error 650
SET TRANSACTION ISOLATION LEVEL SNAPSHOT
GO
SELECT id FROM t WITH (READPAST)
GO
--! error 650
SELECT id FROM t WITH (READPAST, UPDLOCK)
GO
--! rows
--! 1
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ
GO
SELECT id FROM t WITH (READPAST)
GO
--! rows
--! 1
-- a hint beside it that gives the table another level: of ranges, or of no locks at all
SELECT id FROM t WITH (READPAST, HOLDLOCK)
GO
--! error 650
SELECT id FROM t WITH (SERIALIZABLE, UPDLOCK, READPAST)
GO
--! error 650
SELECT id FROM t WITH (READPAST, NOLOCK)
GO
--! error 650
SELECT id FROM t WITH (READUNCOMMITTED, READPAST)
GO
--! error 650
DELETE t WITH (READPAST, HOLDLOCK)
GO
--! error 650
WITH c AS (SELECT id FROM t WITH (READPAST, HOLDLOCK)) DELETE c
GO
--! error 650
GO
-- the hint of a view is that of its tables, also below views in it
CREATE TABLE jobs (id int PRIMARY KEY, state int); INSERT jobs VALUES (1, 0), (2, 0), (3, 0)
GO
CREATE VIEW waiting AS SELECT id FROM jobs WHERE state = 0
GO
CREATE VIEW waiting_too AS SELECT a.id FROM waiting AS a JOIN jobs AS b ON a.id = b.id
GO
--! session other IN D
BEGIN TRAN; UPDATE jobs SET state = 0 WHERE id = 2
GO
--! affected 1
--! session main
-- at REPEATABLE READ, too, who passes by waits for nobody; who does not, waits
SELECT id FROM jobs WITH (READPAST) ORDER BY id
SELECT id FROM waiting WITH (READPAST) ORDER BY id
SELECT id FROM jobs WITH (READCOMMITTED) ORDER BY id
SET LOCK_TIMEOUT 0
SELECT id FROM jobs ORDER BY id
GO
--! spec ISOLATION-20
--! spec ISOLATION-34
--! rows
--! 1
--! 3
--! rows
--! 1
--! 3
--! rows
--! 1
--! 2
--! 3
--! error 1222
SET LOCK_TIMEOUT -1
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
GO
SELECT id FROM waiting WITH (READPAST) ORDER BY id
SELECT id FROM waiting_too WITH (READPAST) ORDER BY id
SELECT id FROM waiting ORDER BY id
SELECT a.id, b.id FROM waiting AS a WITH (READPAST) RIGHT JOIN jobs AS b ON a.id = b.id ORDER BY b.id
GO
--! rows
--! 1
--! 3
--! rows
--! 1
--! 3
--! rows
--! 1
--! 2
--! 3
--! rows
--! 1 | 1
--! NULL | 2
--! 3 | 3
SELECT id FROM waiting WITH (READPAST, HOLDLOCK)
GO
--! error 650
SET NOCOUNT ON; DELETE waiting WITH (READPAST)
SELECT id FROM jobs ORDER BY id
GO
--! rows
--! 2
--! session other
COMMIT
GO
