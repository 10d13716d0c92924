-- What stands in front of a name in the column list of INSERT is not looked at: it may be the table, and anything else.
CREATE TABLE dbo.T (Id int, [A b] int);
CREATE TABLE #t (n int);
GO
CREATE VIEW dbo.V AS SELECT Id FROM dbo.T;
GO
INSERT dbo.T (T.Id) VALUES (1);
INSERT dbo.T (dbo.T.Id, [T].[A b]) VALUES (2, 20), (3, 30);
INSERT T (nothing..T.[A b], a.b.c.d.e.f.Id) SELECT 40, 4;
INSERT dbo.V (V.Id) OUTPUT inserted.Id VALUES (5);
GO
--! rows
--! 5
INSERT #t (#t.n) VALUES (1);
DECLARE @t TABLE (n int);
INSERT @t (x.n) OUTPUT inserted.n INTO #t VALUES (2);
INSERT #t (#t.n) EXEC ('SELECT 3');
SELECT n FROM #t ORDER BY n;
SELECT Id, [A b] FROM dbo.T ORDER BY Id;
GO
--! rows
--! 1
--! 2
--! 3
--! rows
--! 1 | NULL
--! 2 | 20
--! 3 | 30
--! 4 | 40
--! 5 | NULL
INSERT dbo.T (T.Id, Id) VALUES (1, 2);
GO
--! error 264
INSERT dbo.T (T.Missing) VALUES (1);
GO
--! error 207
INSERT dbo.T (T.) VALUES (1);
GO
--! error 102
-- In MERGE names have one part.
MERGE dbo.T AS t USING (VALUES (9)) AS s (n) ON 1 = 0 WHEN NOT MATCHED THEN INSERT (t.Id) VALUES (s.n);
GO
--! error 102
