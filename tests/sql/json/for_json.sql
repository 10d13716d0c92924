-- FOR JSON: nesting, NULLs, wrappers, types (the pages "Format query results as JSON" and "Format nested JSON output").
CREATE TABLE dbo.T (Id int, N nvarchar(20), B varbinary(5), F float, D datetime, M money, X xml, Bt bit, G uniqueidentifier);
INSERT INTO dbo.T VALUES (1, N'é"\/' + NCHAR(9) + NCHAR(1), 0x0102, 1.5e10, '2020-01-01', 2.5, N'<a/>', 1, '0E984725-C51C-4BF4-9960-E1C80E27ABA0'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
GO
SELECT * FROM dbo.T FOR JSON PATH;
SELECT Id, Bt FROM dbo.T WHERE Id = 2 FOR JSON AUTO, INCLUDE_NULL_VALUES, ROOT;
SELECT Id AS [a.b], Id AS [a.c.d], N AS [a.n] FROM dbo.T WHERE Id = 2 FOR JSON PATH, WITHOUT_ARRAY_WRAPPER;
SELECT Id, (SELECT Id FROM dbo.T AS u WHERE u.Id <= t.Id FOR JSON PATH) AS n, (SELECT Id FROM dbo.T AS u WHERE u.Id = t.Id FOR JSON PATH, WITHOUT_ARRAY_WRAPPER) AS w, JSON_QUERY('{"q":1}') AS q
    FROM dbo.T AS t FOR JSON PATH, ROOT ('r');
SELECT t.Id AS [a.b], u.Id FROM dbo.T AS t JOIN dbo.T AS u ON u.Id = t.Id ORDER BY t.Id FOR JSON AUTO;
SELECT Id FROM dbo.T WHERE 1 = 0 FOR JSON PATH;
GO
--! rows
--! [{"Id":1,"N":"é\"\\\\\/\\t\u0001","B":"AQI=","F":1.500000000000000e+010,"D":"2020-01-01T00:00:00","M":2.5000,"X":"<a\/>","Bt":true,"G":"0E984725-C51C-4BF4-9960-E1C80E27ABA0"},{"Id":2}]
--! rows
--! {"root":[{"Id":2,"Bt":null}]}
--! rows
--! {"a":{"b":2,"c":{"d":2}}}
--! rows
--! {"r":[{"Id":1,"n":[{"Id":1}],"w":"{\"Id\":1}","q":{"q":1}},{"Id":2,"n":[{"Id":1},{"Id":2}],"w":"{\"Id\":2}","q":{"q":1}}]}
--! rows
--! [{"a.b":1,"u":[{"Id":1}]},{"a.b":2,"u":[{"Id":2}]}]
--! rows
SELECT 1 AS [a.b], 2 AS [a] FOR JSON PATH;
GO
--! error 13601
SELECT 1 AS a, 2 AS a FOR JSON PATH;
GO
--! error 13601
SELECT 1 AS a FOR JSON AUTO;
GO
--! error 13600
SELECT Id AS [a..b] FROM dbo.T FOR JSON PATH;
GO
--! error 13603
SELECT Id AS [a.] FROM dbo.T FOR JSON PATH;
GO
--! error 13603
SELECT Id + 1 FROM dbo.T FOR JSON PATH;
GO
--! error 13605
SELECT Id FROM dbo.T FOR JSON PATH, ROOT ('x'), WITHOUT_ARRAY_WRAPPER;
GO
--! error 13620
-- The columns of an object stand next to each other; the name of the root may be empty; a sql_variant is written as the value in it.
SELECT 1 AS [x.a], 2 AS [x.y.b], 3 AS [x.y.c], 4 AS z FOR JSON PATH, ROOT ('');
SELECT CAST(5 AS sql_variant) AS v, CAST('a' AS sql_variant) AS w FOR JSON PATH;
CREATE TABLE dbo.OneRow (id int); INSERT INTO dbo.OneRow VALUES (1);
SELECT 1 AS a, 'x' AS [b.c] FROM dbo.OneRow FOR JSON AUTO;
GO
--! rows
--! {"":[{"x":{"a":1,"y":{"b":2,"c":3}},"z":4}]}
--! rows
--! [{"v":5,"w":"a"}]
--! rows
--! [{"a":1,"b.c":"x"}]
SELECT 1 AS [x.a], 2 AS [y.b], 3 AS [x.c] FOR JSON PATH;
GO
--! error 13601 text x.c
SELECT 1 AS [x.y.a], 2 AS [x.b], 3 AS [x.y.c] FOR JSON PATH;
GO
--! error 13601 text x.y.c
-- AUTO over one table nests nothing, whatever stands in front of its columns.
CREATE TABLE #one (s varchar(5));
INSERT #one VALUES ('a'), ('b');
SELECT (SELECT 'x' AS a, 1 AS b, s FROM #one FOR JSON AUTO);
GO
--! rows
--! [{"a":"x","b":1,"s":"a"},{"a":"x","b":1,"s":"b"}]
