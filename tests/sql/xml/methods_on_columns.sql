-- XML methods over columns, and nodes() with APPLY.
CREATE TABLE dbo.Doc (Id int NOT NULL, X xml NULL);
INSERT INTO dbo.Doc VALUES (1, '<r><i n="1">x</i><i n="2">y</i></r>'), (2, NULL), (3, '<r><i n="3">z</i></r>');
GO
SELECT Id, X.value('(/r/i)[1]', 'varchar(5)'), X.value('(/r/i/@n)[1]', 'int'), X.exist('/r/i[@n="2"]') FROM dbo.Doc ORDER BY Id;
SELECT d.Id, t.c.value('@n', 'int') AS n, t.c.value('.', 'varchar(5)') AS v FROM dbo.Doc AS d CROSS APPLY d.X.nodes('/r/i') AS t (c) ORDER BY n;
SELECT d.Id, t.c.value('@n', 'int') FROM dbo.Doc AS d OUTER APPLY d.X.nodes('/r/i[@n>2]') AS t (c) ORDER BY d.Id;
SELECT Id FROM dbo.Doc WHERE X.value('count(/r/i)', 'int') = 2;
GO
--! rows
--! 1 | x | 1 | 1
--! 2 | NULL | NULL | NULL
--! 3 | z | 3 | 0
--! rows
--! 1 | 1 | x
--! 1 | 2 | y
--! 3 | 3 | z
--! rows
--! 1 | NULL
--! 2 | NULL
--! 3 | 3
--! rows
--! 1
DECLARE @want int = 3;
SELECT Id FROM dbo.Doc WHERE X.exist('/r/i[@n=sql:variable("@want")]') = 1;
SELECT CAST(CAST(N'<a>1</a>' AS varbinary(max)) AS xml).value('(/a)[1]', 'int') AS v FROM dbo.Doc WHERE Id = 1;
GO
--! rows
--! 3
--! rows
--! 1
SELECT t.c FROM dbo.Doc AS d CROSS APPLY d.X.nodes('/r/i') AS t (c);
GO
--! error 493
