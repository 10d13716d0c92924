-- Aggregates and window functions where none may stand: refused with SQL Server's number, not in DuckDB's words.
CREATE TABLE dbo.T (a int, b nvarchar(20));
INSERT dbo.T VALUES (1, N'x');
GO
SELECT a FROM dbo.T WHERE COUNT(a) OVER () IS NULL;
GO
--! error 4108
SELECT a FROM dbo.T WHERE ROW_NUMBER() OVER (ORDER BY a) IS NOT NULL;
GO
--! error 4108
UPDATE dbo.T SET a = COUNT(*) OVER ();
GO
--! error 4108
SELECT z FROM dbo.T CROSS APPLY (VALUES (COUNT(*) OVER ())) AS q (z);
GO
--! error 4108
SELECT TOP (ROW_NUMBER() OVER (ORDER BY a)) a FROM dbo.T;
GO
--! error 4108
UPDATE dbo.T SET a = MAX(a);
GO
--! error 157
UPDATE dbo.T SET b = STRING_AGG(b, ',');
GO
--! error 157
SELECT TOP (COUNT(*)) a FROM dbo.T;
GO
--! error 4115
SELECT a FROM dbo.T ORDER BY a OFFSET MAX(1) ROWS;
GO
--! error 4115
SELECT q.z FROM dbo.T CROSS APPLY (VALUES (MAX(a))) AS q (z);
GO
--! error 4101
SELECT q.z FROM dbo.T AS t CROSS APPLY (SELECT SUM(t.a) AS z FROM dbo.T AS u) AS q;
GO
--! error 4101
SELECT value FROM dbo.T CROSS APPLY OPENJSON(MAX(b));
GO
--! error 4101
SELECT value FROM dbo.T CROSS APPLY STRING_SPLIT(MAX(b), N',');
GO
--! error 4101
SELECT q.z, q.n FROM dbo.T AS t CROSS APPLY (SELECT SUM(u.a + t.a) AS z, COUNT(*) AS n FROM dbo.T AS u) AS q;
GO
--! rows
--! 2 | 1
-- The text of FORMATMESSAGE is one, or a number.
SELECT FORMATMESSAGE(0x, 1);
GO
--! error 8116
SELECT FORMATMESSAGE('%*d', 'x', 1);
GO
--! error 2786
-- An aggregate over columns of a query around is one of that query, and so stands in its WHERE.
SELECT a FROM dbo.T AS t WHERE a IN (SELECT SUM(t.a) FROM dbo.T AS u);
GO
--! error 147
SELECT a FROM dbo.T AS t WHERE a IN (SELECT u.a FROM dbo.T AS u GROUP BY u.a HAVING MAX(t.a) > 0);
GO
--! error 147
SELECT a FROM dbo.T AS t WHERE EXISTS (SELECT 1 FROM (SELECT COUNT(t.b) AS n FROM dbo.T AS u) AS d);
GO
--! error 147
SELECT a FROM dbo.T AS t WHERE a = (SELECT SUM(u.a + t.a) - 1 FROM dbo.T AS u);
GO
--! rows
--! 1
