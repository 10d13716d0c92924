-- IGNORE_DUP_KEY: an INSERT leaves rows out whose key is there already, and says so once.
CREATE TABLE t (a int NOT NULL, b int, CONSTRAINT pk PRIMARY KEY (a) WITH (IGNORE_DUP_KEY = ON))
GO
INSERT INTO t OUTPUT inserted.a VALUES (1, 1), (1, 2), (2, 1)
SELECT @@ROWCOUNT
GO
--! print duplicate
--! rows
--! 1
--! 2
--! rows
--! 2
INSERT INTO t VALUES (1, 5)
SELECT @@ROWCOUNT
GO
--! print duplicate
--! rows
--! 0
SELECT a, b FROM t ORDER BY a
GO
--! rows
--! 1 | 1
--! 2 | 1
--! spec DUPLICATE-1
-- an UPDATE fails as ever
UPDATE t SET a = 1 WHERE a = 2
GO
--! error 2627
--! spec DUPLICATE-2
INSERT INTO t SELECT a, b FROM t UNION ALL SELECT 3, 5
MERGE t USING (VALUES (1, 99), (50, 50)) AS s (x, y) ON 1 = 0 WHEN NOT MATCHED THEN INSERT VALUES (x, y);
SELECT COUNT(*), SUM(b) FROM t
GO
--! rows
--! 4 | 57
--! print duplicate
--! print duplicate

-- unique indexes, one of which ignores and one of which does not
CREATE TABLE u (a int, b int)
CREATE UNIQUE INDEX ia ON u (a) WITH (IGNORE_DUP_KEY = ON)
CREATE UNIQUE INDEX ib ON u (b)
SELECT name, ignore_dup_key FROM sys.indexes WHERE object_id IN (OBJECT_ID('u'), OBJECT_ID('t')) AND name IS NOT NULL ORDER BY name
GO
--! rows
--! ia | 1
--! ib | 0
--! pk | 1
INSERT INTO u VALUES (1, 1), (NULL, 2), (NULL, 3), (1, 4)
GO
--! print duplicate
INSERT INTO u VALUES (2, 1)
GO
--! error 2601
SELECT a, b FROM u ORDER BY b
GO
--! rows
--! 1 | 1
--! NULL | 2

-- a failed batch is none of it; within TRY it is no error
BEGIN TRY INSERT INTO u VALUES (1, 9) END TRY BEGIN CATCH SELECT 'caught' END CATCH
GO
--! print duplicate

-- triggers see what was inserted
CREATE TRIGGER noted ON u AFTER INSERT AS SELECT a, b FROM inserted
GO
INSERT INTO u VALUES (1, 9), (7, 7)
GO
--! print duplicate
--! rows
--! 7 | 7
INSERT INTO u VALUES (1, 9)
GO
--! print duplicate
--! rows
--! spec DUPLICATE-3

-- table variables and #temp tables
DECLARE @v TABLE (a int PRIMARY KEY WITH (IGNORE_DUP_KEY = ON))
INSERT INTO @v VALUES (1), (1)
CREATE TABLE #t (a int UNIQUE WITH (IGNORE_DUP_KEY = ON))
INSERT INTO #t VALUES (1), (1), (2)
SELECT (SELECT COUNT(*) FROM @v), (SELECT COUNT(*) FROM #t)
GO
--! print duplicate
--! print duplicate
--! rows
--! 1 | 2

-- ALTER INDEX switches it, that of a key too
ALTER INDEX pk ON t SET (IGNORE_DUP_KEY = OFF)
GO
INSERT INTO t VALUES (1, 70)
GO
--! error 2627
ALTER INDEX ALL ON t REBUILD WITH (IGNORE_DUP_KEY = ON)
INSERT INTO t VALUES (1, 70)
GO
--! print duplicate
DROP TRIGGER noted
ALTER INDEX ia ON u SET (IGNORE_DUP_KEY = OFF)
GO
INSERT INTO u VALUES (1, 70)
GO
--! error 2601
--! spec DUPLICATE-4
CREATE INDEX ix ON u (b) WITH (IGNORE_DUP_KEY = ON)
GO
--! error 1916
CREATE UNIQUE INDEX ix ON u (b) WHERE b > 5 WITH (IGNORE_DUP_KEY = ON)
GO
--! error 10618
ALTER INDEX ib ON u SET (IGNORE_DUP_KEY = ON)
CREATE INDEX ix ON u (b)
GO
ALTER INDEX ix ON u SET (IGNORE_DUP_KEY = ON)
GO
--! error 1916
--! spec DUPLICATE-5
