-- Sessions share compiled batches, never their temp tables: the same text means another #t in each.
--! session a
CREATE TABLE #t (Id int IDENTITY PRIMARY KEY, V varchar(5) DEFAULT 'a');
INSERT #t DEFAULT VALUES;
SELECT Id, V FROM #t;
GO
--! rows
--! 1 | a
--! session b
CREATE TABLE #t (Id int IDENTITY PRIMARY KEY, V varchar(5) DEFAULT 'b');
INSERT #t DEFAULT VALUES;
SELECT Id, V FROM #t;
GO
--! rows
--! 1 | b
INSERT #t DEFAULT VALUES;
SELECT COUNT(*) FROM #t;
GO
--! rows
--! 2
--! session a
INSERT #t DEFAULT VALUES;
SELECT COUNT(*) FROM #t;
GO
--! rows
--! 2
SELECT Id, V FROM #t;
GO
--! rows
--! 1 | a
--! 2 | a
--! session c
SELECT Id, V FROM #t;
GO
--! error 208
-- A global one that is made again is another table, for everybody.
--! session a
CREATE TABLE ##g (a int);
INSERT ##g VALUES (1);
GO
--! session b
SELECT * FROM ##g;
GO
--! rows
--! 1
--! session a
DROP TABLE ##g;
CREATE TABLE ##g (a int, b int);
INSERT ##g VALUES (2, 3);
GO
--! session b
SELECT * FROM ##g;
GO
--! rows
--! 2 | 3
--! session a
DROP TABLE ##g;
GO
--! session b
SELECT * FROM ##g;
GO
--! error 208
-- ... also for who came later.
--! session a
CREATE TABLE ##g (a int);
GO
--! session d
SELECT * FROM ##g;
GO
--! rows
--! session a
DROP TABLE ##g;
GO
--! session d
SELECT * FROM ##g;
GO
--! error 208
