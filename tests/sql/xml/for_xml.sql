-- FOR XML and FOR JSON: texts as the documentation's rules give them.
CREATE TABLE dbo.P (Id int NOT NULL, Name nvarchar(20) NULL, Qty int NULL);
CREATE TABLE dbo.L (Id int NOT NULL, PId int NOT NULL, Note varchar(10) NULL);
INSERT INTO dbo.P VALUES (1, N'a<b', 5), (2, N'c', NULL);
INSERT INTO dbo.L VALUES (1, 1, 'x'), (2, 1, 'y');
GO
SELECT Id, Name, Qty FROM dbo.P FOR XML RAW;
SELECT Id, Qty FROM dbo.P FOR XML RAW ('p'), ELEMENTS XSINIL, ROOT ('all');
SELECT Id AS [@id], Name AS [n/text], Qty AS [n/qty] FROM dbo.P FOR XML PATH ('p'), ROOT ('r');
SELECT ',' + Name FROM dbo.P ORDER BY Id DESC FOR XML PATH ('');
SELECT STUFF((SELECT ',' + Note FROM dbo.L AS l WHERE l.PId = p.Id ORDER BY l.Id FOR XML PATH ('')), 1, 1, '') FROM dbo.P AS p ORDER BY p.Id;
GO
--! rows
--! <row Id="1" Name="a&lt;b" Qty="5"/><row Id="2" Name="c"/>
--! rows
--! <all xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><p><Id>1</Id><Qty>5</Qty></p><p><Id>2</Id><Qty xsi:nil="true"/></p></all>
--! rows
--! <r><p id="1"><n><text>a&lt;b</text><qty>5</qty></n></p><p id="2"><n><text>c</text></n></p></r>
--! rows
--! ,c,a&lt;b
--! rows
--! x,y
--! NULL
SELECT p.Id, l.Note FROM dbo.P AS p JOIN dbo.L AS l ON l.PId = p.Id ORDER BY l.Id FOR XML AUTO;
SELECT Id, (SELECT Note FROM dbo.L WHERE PId = p.Id ORDER BY Id FOR XML PATH ('l'), TYPE) FROM dbo.P AS p ORDER BY Id FOR XML PATH ('p');
SELECT 1 AS Tag, NULL AS Parent, 5 AS [A!1!x], NULL AS [B!2!y!element] UNION ALL SELECT 2, 1, NULL, 7 FOR XML EXPLICIT;
WITH XMLNAMESPACES ('uri:a' AS a) SELECT 1 AS [a:b] FOR XML PATH ('a:r');
SELECT CAST(1 AS bit) AS b, 0x0102 AS x, CAST('2026-01-02T03:04:05' AS datetime) AS d FOR XML PATH;
SELECT 1 AS a WHERE 1 = 0 FOR XML PATH;
GO
--! rows
--! <p Id="1"><l Note="x"/><l Note="y"/></p>
--! rows
--! <p><Id>1</Id><l><Note>x</Note></l><l><Note>y</Note></l></p><p><Id>2</Id></p>
--! rows
--! <A x="5"><B><y>7</y></B></A>
--! rows
--! <a:r xmlns:a="uri:a"><a:b>1</a:b></a:r>
--! rows
--! <row><b>1</b><x>AQI=</x><d>2026-01-02T03:04:05</d></row>
--! rows
DECLARE @x xml = (SELECT Id AS [@id] FROM dbo.P FOR XML PATH ('p'), ROOT ('r'), TYPE);
SELECT @x.value('count(/r/p)', 'int') AS n, @x.exist('/r/p[@id="2"]') AS has;
SELECT n.c.value('@id', 'int') AS id FROM @x.nodes('/r/p') AS n (c);
GO
--! rows
--! 2 | 1
--! rows
--! 1
--! 2
SELECT Id, Name, Qty FROM dbo.P FOR JSON PATH;
SELECT Id AS [a.b], Qty AS [a.c] FROM dbo.P WHERE Id = 2 FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER;
SELECT p.Id, l.Note FROM dbo.P AS p JOIN dbo.L AS l ON l.PId = p.Id ORDER BY l.Id FOR JSON AUTO, ROOT ('d');
GO
--! rows
--! [{"Id":1,"Name":"a<b","Qty":5},{"Id":2,"Name":"c"}]
--! rows
--! {"a":{"b":2,"c":null}}
--! rows
--! {"d":[{"Id":1,"l":[{"Note":"x"},{"Note":"y"}]}]}
SELECT Id, 1 AS [@late] FROM dbo.P FOR XML PATH;
GO
--! error 6852
SELECT 1 FROM dbo.P FOR JSON PATH;
GO
--! error 13605
