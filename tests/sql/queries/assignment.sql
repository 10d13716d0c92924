-- SELECT @v = …: the last row wins, no row leaves the variable alone, and a variable that is read is built up row by row.
CREATE TABLE dbo.W (Id int NOT NULL PRIMARY KEY, Word nvarchar(10) NULL);
INSERT INTO dbo.W VALUES (1, N'to'), (2, N'be'), (3, N'or');
GO
DECLARE @w nvarchar(10) = N'none', @n int;
SELECT @w = Word FROM dbo.W WHERE Id > 5;
SELECT @w AS w, @@ROWCOUNT AS n;
SELECT @w = Word, @n = Id FROM dbo.W ORDER BY Id;
SELECT @w AS w, @n AS n;
SELECT @n = COUNT(*) FROM dbo.W WHERE 1 = 0;
SELECT @n AS n;
GO
--! rows
--! none | 0
--! rows
--! or | 3
--! rows
--! 0
DECLARE @all nvarchar(max) = N'', @list nvarchar(max), @sum int = 0;
SELECT @all += Word + N' ' FROM dbo.W ORDER BY Id;
SELECT @list = COALESCE(@list + N',', N'') + Word FROM dbo.W ORDER BY Id DESC;
SELECT @sum = @sum + Id, @all = @all + CAST(@sum AS nvarchar(10)) FROM dbo.W ORDER BY Id;
SELECT @all AS a, @list AS l, @sum AS s;
GO
--! rows
--! to be or 136 | or,be,to | 6
DECLARE @a int, @b int;
SELECT @a = 1, @b = @a + 1;
SELECT @a AS a, @b AS b;
SET @a = (SELECT MAX(Id) FROM dbo.W);
IF EXISTS (SELECT 1 FROM dbo.W WHERE Word = 'BE') SET @b = 10;
IF @a IN (SELECT Id FROM dbo.W) AND @a >= ALL (SELECT Id FROM dbo.W) SET @b = @b + 1;
SELECT @a AS a, @b AS b;
GO
--! rows
--! 1 | 2
--! rows
--! 3 | 11
DECLARE @x int = (SELECT Id FROM dbo.W);
GO
--! error 512
DECLARE @y int;
SELECT @y = Id, Word FROM dbo.W;
GO
--! error 141
SET ROWCOUNT 2;
SELECT Id FROM dbo.W ORDER BY Id;
SET ROWCOUNT 0;
GO
--! rows
--! 1
--! 2
SELECT Id, Word INTO #copy FROM dbo.W WHERE Id < 3;
SELECT Word FROM #copy ORDER BY Id;
SELECT Id * 2 AS Twice INTO dbo.Made FROM dbo.W;
SELECT SUM(Twice) FROM dbo.Made;
GO
--! rows
--! to
--! be
--! rows
--! 12
-- Row after row, with a date part: it is no column.
DECLARE @d datetime = '20260101';
SELECT @d = DATEADD(day, a, @d) FROM (VALUES (1), (2)) AS t (a);
SELECT @d = DATEADD(month, DATEDIFF(day, @d, DATEADD(day, a, @d)), @d) FROM (VALUES (1), (2)) AS t (a);
SELECT @d;
GO
--! rows
--! 2026-04-04 00:00:00.000
