-- sql:column() and sql:variable() inside xml methods of a query (the pages "sql:column() function" and "sql:variable()").
CREATE TABLE #Products (ProductID int PRIMARY KEY, Name nvarchar(30), Price decimal(9, 2), Doc xml);
INSERT INTO #Products VALUES
    (1, N'Bolt', 1.75, N'<p><sku>Bolt</sku><sku>Nut</sku></p>'),
    (2, N'Washer', 0.25, N'<p><sku>Spring</sku></p>');
DECLARE @unit nvarchar(10) = N'EUR';
SELECT ProductID, Doc.value('concat(sql:column("Name"), " costs ", sql:column("#Products.Price"), " ", sql:variable("@unit"))', 'nvarchar(60)')
FROM #Products ORDER BY ProductID;
SELECT p.ProductID FROM #Products AS p WHERE p.Doc.exist('/p/sku[. = sql:column("p.Name")]') = 1;
GO
--! rows
--! 1 | Bolt costs 1.75 EUR
--! 2 | Washer costs 0.25 EUR
--! rows
--! 1
DECLARE @x xml = N'<a/>';
SELECT @x.value('sql:column("nowhere")', 'int');
GO
--! error 9335
-- In a literal or a comment of the XQuery the words name nothing.
SELECT t.x.value('concat("sql:column(""a"")", string(sql:column("t.a") (: sql:column("zz") :) ))', 'varchar(50)') AS v
FROM (SELECT 1 AS a, CAST('<a/>' AS xml) AS x) AS t;
DECLARE @x xml = '<a/>';
SELECT @x.value('string("sql:column(''t.a'')")', 'varchar(50)') AS v FROM (VALUES (1)) AS t (a);
GO
--! rows
--! sql:column("a")1
--! rows
--! sql:column('t.a')
