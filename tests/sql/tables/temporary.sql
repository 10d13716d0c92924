-- Temp tables and table variables: who sees them, when they go, and their constraints.
CREATE TABLE #t (Id int IDENTITY PRIMARY KEY, V varchar(5) DEFAULT 'd');
INSERT #t DEFAULT VALUES; INSERT #t (V) VALUES ('x');
SELECT Id, V FROM #t ORDER BY Id;
GO
--! rows
--! 1 | d
--! 2 | x
INSERT #t (V) VALUES ('too long');
GO
--! error 2628
CREATE TABLE #t (A int);
GO
--! error 2714
--! session other
SELECT * FROM #t;
GO
--! error 208
--! session main
CREATE TABLE ##g (V int);
INSERT ##g VALUES (1);
GO
--! session other
SELECT V FROM ##g;
GO
--! rows
--! 1
--! session main
CREATE PROCEDURE dbo.P AS
BEGIN
    SELECT COUNT(*) FROM #t;
    CREATE TABLE #inner (A int);
    INSERT #inner VALUES (1), (2), (3);
    SELECT COUNT(*) FROM #inner;
    INSERT #t (V) VALUES ('p');
END
GO
EXEC dbo.P;
SELECT COUNT(*) FROM #t;
GO
--! rows
--! 2
--! rows
--! 3
--! rows
--! 3
SELECT * FROM #inner;
GO
--! error 208
ALTER TABLE #t ADD N int NULL;
CREATE UNIQUE INDEX UX ON #t (V);
INSERT #t (V, N) VALUES ('X', 1);
GO
--! error 2601
UPDATE #t SET N = Id * 10;
DELETE #t WHERE Id = 1;
TRUNCATE TABLE ##g;
SELECT MIN(N), (SELECT COUNT(*) FROM ##g) FROM #t;
DROP TABLE #t, ##g;
SELECT * FROM #t;
GO
--! rows
--! 20 | 0
--! error 208
DECLARE @t TABLE (K int PRIMARY KEY, V varchar(5) NOT NULL DEFAULT 'v', N int CHECK (N > 0), I int IDENTITY(100, 1));
INSERT @t (K) VALUES (1), (2);
UPDATE @t SET V = 'u', N = K WHERE K = 2;
SELECT K, V, N, I FROM @t ORDER BY K;
INSERT @t (K) VALUES (1);
INSERT @t (K, N) VALUES (3, 0);
INSERT @t (K, V) VALUES (3, NULL);
DELETE t FROM @t AS t JOIN (SELECT 1 AS k) s ON s.k = t.K;
SELECT K FROM @t;
GO
--! rows
--! 1 | v | NULL | 100
--! 2 | u | 2 | 101
--! error 2627
--! error 547
--! error 515
--! rows
--! 2
SELECT * FROM @nope;
GO
--! error 1087
-- A DECLARE that is reached again keeps the rows.
DECLARE @i int = 0;
WHILE @i < 3
BEGIN
    DECLARE @w TABLE (V int);
    INSERT @w VALUES (@i);
    SET @i += 1;
END
SELECT COUNT(*) FROM @w;
GO
--! rows
--! 3
CREATE TYPE dbo.Keys AS TABLE (K int PRIMARY KEY);
GO
DECLARE @k dbo.Keys;
INSERT @k VALUES (1);
INSERT @k VALUES (1);
SELECT K FROM @k;
GO
--! error 2627
--! rows
--! 1
SELECT 1 AS A, N'x' AS B INTO #made;
INSERT #made VALUES (2, N'y');
SELECT A, B FROM #made ORDER BY A;
GO
--! rows
--! 1 | x
--! 2 | y
-- A DECLARE that is never reached declares all the same.
IF 1 = 0 DECLARE @skipped TABLE (V int);
SELECT COUNT(*) FROM @skipped;
INSERT @skipped VALUES (1);
SELECT COUNT(*) FROM @skipped;
GO
--! rows
--! 0
--! rows
--! 1
-- SELECT INTO keeps IDENTITY, is one statement, and wants names.
CREATE TABLE dbo.Src (Id int IDENTITY(5, 5), V varchar(5) NOT NULL);
INSERT dbo.Src (V) VALUES ('a'), ('b');
SELECT Id AS K, V INTO dbo.Copy FROM dbo.Src;
INSERT dbo.Copy (V) VALUES ('c');
SELECT K, V FROM dbo.Copy ORDER BY K;
INSERT dbo.Copy (V) VALUES (NULL);
GO
--! rows
--! 5 | a
--! 10 | b
--! 15 | c
--! error 515
SELECT CAST(V AS int) AS N INTO dbo.Broken FROM dbo.Src;
GO
--! error 245
SELECT OBJECT_ID('dbo.Broken');
GO
--! rows
--! NULL
PRINT 'no';
SELECT 1 INTO dbo.NoName;
GO
--! error 1038 line 2
SELECT * INTO dbo.Copy FROM dbo.Src;
GO
--! error 2714
