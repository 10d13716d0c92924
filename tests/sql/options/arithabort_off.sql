-- ARITHABORT OFF with ANSI_WARNINGS OFF (page "SET ARITHABORT"): arithmetic that fails gives NULL, and a warning once a statement.
CREATE TABLE dbo.T (id int IDENTITY, n tinyint NULL, i int NULL, d decimal(5, 2) NULL, x int NOT NULL DEFAULT 1);
INSERT dbo.T (n, i, d) VALUES (200, 2147483647, 999.99), (10, 0, 1);
SET ARITHABORT OFF;
SELECT 1 / 0;
GO
--! error 8134
SET ARITHABORT, ANSI_WARNINGS OFF;
SELECT 1 / 0 AS a, ISNULL(1 / 0, 7) AS b;
DECLARE @i int = 2147483647, @t tinyint = 300;
SET @i += 1;
SELECT @i, @t, SQRT(-1);
IF 1 / 0 IS NULL PRINT 'unknown';
GO
--! rows
--! NULL | 7
--! rows
--! NULL | NULL | NULL
--! print Division by zero occurred.
--! print Arithmetic overflow occurred.
--! print Arithmetic overflow occurred.
--! print not valid
--! print Division by zero occurred.
--! print unknown
SELECT 10 / i, n + i, CAST(i AS tinyint), CAST(d * 1000 AS decimal(5, 2)), SQRT(0 - n), COALESCE(i / 0, -1) FROM dbo.T ORDER BY id;
SELECT id FROM dbo.T WHERE 10 / i >= 0 ORDER BY id;
GO
--! rows
--! 0 | NULL | NULL | NULL | NULL | -1
--! NULL | 10 | 0 | NULL | NULL | -1
--! rows
--! 1
SELECT SUM(i) / 0, COUNT(*) FROM dbo.T;
GO
--! rows
--! NULL | 2
--! print Division by zero occurred.
-- Inserted and updated as NULL, where the column takes it.
SET ARITHIGNORE ON;
INSERT dbo.T (n, i) VALUES (300, 1 / 0);
INSERT dbo.T (n) SELECT i FROM dbo.T WHERE id = 1;
UPDATE dbo.T SET d = 12345 WHERE id = 2;
SELECT id, n, i, d FROM dbo.T WHERE id > 1 ORDER BY id;
PRINT 'no warnings';
INSERT dbo.T (x) VALUES (1 / 0);
GO
--! rows
--! 2 | 10 | 0 | NULL
--! 3 | NULL | NULL | NULL
--! 4 | NULL | NULL | NULL
--! error 515
--! print no warnings
--! print ended
-- Other errors stay errors.
SELECT CAST('x' AS int);
GO
--! error 245
SET ARITHIGNORE OFF;
SET ANSI_WARNINGS ON;
SELECT i / 0 FROM dbo.T;
GO
--! error 8134
-- A warning belongs to its statement, also when that fails; what no row needs is not computed.
SET ARITHABORT, ANSI_WARNINGS OFF;
GO
UPDATE dbo.T SET x = 1 / 0 WHERE id = 1;
PRINT 'then';
SELECT CASE WHEN id > 0 THEN id ELSE 1 / 0 END FROM dbo.T WHERE id = 1;
SELECT id FROM dbo.T WHERE id = 1 AND EXISTS (SELECT 1 / 0);
GO
--! error 515
--! rows
--! 1
--! rows
--! 1
--! print Division by zero occurred.
--! print ended
--! print then
