-- xml among the other types: it is not compared, sorted or grouped; its methods want literals.
CREATE TABLE dbo.T (Id int, X xml, N ntext);
INSERT INTO dbo.T VALUES (1, N'<a/>', N'n');
GO
SELECT DISTINCT X FROM dbo.T;
GO
--! error 421 text xml
SELECT X FROM dbo.T ORDER BY X;
GO
--! error 305
SELECT COUNT(DISTINCT X) FROM dbo.T;
GO
--! error 8117
SELECT COUNT_BIG(DISTINCT X) FROM dbo.T;
GO
--! error 8117
SELECT N FROM dbo.T ORDER BY N;
GO
--! error 306
SELECT X FROM dbo.T GROUP BY X;
GO
--! error 305
SELECT X FROM dbo.T UNION SELECT X FROM dbo.T;
GO
--! error 5335 text xml
SELECT Id FROM dbo.T WHERE X = N'<a/>';
GO
--! error 305
SELECT MAX(X) FROM dbo.T;
GO
--! error 8117
SELECT CAST(X AS int) FROM dbo.T;
GO
--! error 529
DECLARE @x xml = 5;
GO
--! error 206
CREATE TABLE dbo.P (X xml PRIMARY KEY);
GO
--! error 1919
--! error 1750
DECLARE @p varchar(10) = '/a', @x xml = '<a/>'; SELECT @x.query(@p);
GO
--! error 8172
SELECT X.value('(/a)[1]') FROM dbo.T;
GO
--! error 174
SELECT X.value('(/a)[1]', 'xml') FROM dbo.T;
GO
--! error 9500
SELECT Id.value('(/a)[1]', 'int') FROM dbo.T;
GO
--! error 258
SELECT X FROM dbo.T UNION ALL SELECT X FROM dbo.T;
SELECT COUNT(X), COUNT(*) FROM dbo.T;
SELECT X.query('/a').value('count(*)', 'int'), (SELECT X FROM dbo.T).exist('/a'), ISNULL(X, '<z/>'), CASE WHEN Id = 1 THEN X END FROM dbo.T;
DECLARE @x xml = 'plain', @z xml = '<a>1</a>text<b/>';
SELECT @x, @z, @z.value('(/text())[1]', 'varchar(9)'), @x.value('.', 'varchar(9)');
GO
--! rows
--! <a/>
--! <a/>
--! rows
--! 1 | 1
--! rows
--! 1 | 1 | <a/> | <a/>
--! rows
--! plain | <a>1</a>text<b/> | text | plain
