-- A savepoint lives until a rollback undoes what came before it; a repeated name means the newest one.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE T (a int PRIMARY KEY CHECK (a < 100));
GO

BEGIN TRAN;
SAVE TRAN A; INSERT T VALUES (1);
SAVE TRAN B; INSERT T VALUES (2);
ROLLBACK TRAN A;
INSERT T VALUES (3); INSERT T VALUES (4);
ROLLBACK TRAN B;
GO
--! error 6401 line 7
SELECT a FROM T ORDER BY a;
GO
--! rows
--! 3
--! 4

-- A is still there, and the newest A is not.
SAVE TRAN A; INSERT T VALUES (5);
ROLLBACK TRAN A;
INSERT T VALUES (6);
ROLLBACK TRAN A;
SELECT a FROM T ORDER BY a;
COMMIT;
GO
--! rows
--! 3
--! 4

-- Names of savepoints and of transactions tell letter case apart, whatever the collation.
BEGIN TRAN Outer1;
SAVE TRAN Here; INSERT T VALUES (50);
SAVE TRAN here; INSERT T VALUES (51);
ROLLBACK TRAN here;
SELECT MAX(a) FROM T;
ROLLBACK TRAN HERE;
GO
--! rows
--! 50
--! error 6401 line 8
ROLLBACK TRAN outer1;
GO
--! error 6401 line 1
ROLLBACK TRAN Outer1;
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
--! spec ROLLBACK-12
