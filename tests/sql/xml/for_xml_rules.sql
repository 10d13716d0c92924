-- What FOR XML refuses, and how it writes names, values and namespaces.
CREATE TABLE dbo.E (Id int, Name nvarchar(10), B varbinary(10));
INSERT INTO dbo.E VALUES (1, N'a', 0x01), (2, NULL, NULL);
GO
SELECT Id, B FROM dbo.E FOR XML RAW, BINARY BASE64;
WITH XMLNAMESPACES (DEFAULT 'urn:d', 'urn:p' AS p) SELECT Id AS [@p:id], Name AS [p:name] FROM dbo.E FOR XML PATH ('p:row'), ROOT ('all'), ELEMENTS XSINIL;
SELECT 1 AS [comment()], 'x' AS [processing-instruction(a)], 'y' AS [text()], 'z' AS [data()], 'w' AS [data()], CAST('<q/>' AS xml) AS [node()], CAST('<q/>' AS xml) AS d FOR XML PATH;
SELECT CAST(1.5e10 AS float) AS f, CAST(0.1 AS real) AS r, CAST(12.5 AS money) AS m, CAST('2020-01-01T10:00:00.12' AS datetime2(3)) AS d, CAST('2020-01-01' AS smalldatetime) AS s,
    CAST('0E984725-C51C-4BF4-9960-E1C80E27ABA0' AS uniqueidentifier) AS g FOR XML RAW;
SELECT e.Id, (SELECT Name FROM dbo.E AS n WHERE n.Id = e.Id FOR XML AUTO, TYPE), (SELECT Name FROM dbo.E AS n WHERE n.Id = e.Id FOR XML AUTO) AS t FROM dbo.E AS e WHERE Id = 1 FOR XML AUTO, ELEMENTS;
SELECT c.Id, o.Name FROM dbo.E AS c JOIN dbo.E AS o ON o.Id = c.Id ORDER BY c.Id FOR XML AUTO, ELEMENTS, TYPE, ROOT ('all');
SELECT NCHAR(1) AS a FOR XML PATH ('');
GO
--! rows
--! <row Id="1" B="AQ=="/><row Id="2"/>
--! rows
--! <all xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:p="urn:p" xmlns="urn:d"><p:row p:id="1"><p:name>a</p:name></p:row><p:row p:id="2"><p:name xsi:nil="true"/></p:row></all>
--! rows
--! <row><!--1--><?a x?>yz w<q/><d><q/></d></row>
--! rows
--! <row f="1.500000000000000e+010" r="1.0000000e-001" m="12.5000" d="2020-01-01T10:00:00.120" s="2020-01-01T00:00:00" g="0E984725-C51C-4BF4-9960-E1C80E27ABA0"/>
--! rows
--! <e><Id>1</Id><n Name="a"/><t>&lt;n Name="a"/&gt;</t></e>
--! rows
--! <all><c><Id>1</Id><o><Name>a</Name></o></c><c><Id>2</Id><o/></c></all>
--! rows
--! <a>&#x01;</a>
SELECT Id, B FROM dbo.E FOR XML RAW;
GO
--! error 6829
SELECT Id, B FROM dbo.E FOR XML AUTO;
GO
--! error 6831
SELECT Id FROM dbo.E FOR XML RAW, XMLDATA;
GO
--! error 40517 text XMLDATA
SELECT Id FROM dbo.E FOR XML PATH, XMLSCHEMA;
GO
--! error 6855
SELECT Id FROM dbo.E FOR XML AUTO ('x');
GO
--! error 6859
SELECT Id FROM dbo.E FOR XML RAW, ROOT ('');
GO
--! error 6861
SELECT Id FROM dbo.E FOR XML RAW (''), XMLSCHEMA;
GO
--! error 6863
SELECT Id AS [a//b] FROM dbo.E FOR XML PATH;
GO
--! error 6849
SELECT Id AS [a:b] FROM dbo.E FOR XML PATH;
GO
--! error 6846
SELECT 1 AS xmlns FOR XML PATH;
GO
--! error 6867
SELECT CAST('<q/>' AS xml) AS [@b] FOR XML PATH;
GO
--! error 6851
SELECT CAST('<q/>' AS xml) AS [text()] FOR XML PATH;
GO
--! error 6853
SELECT 'a' AS [processing-instruction] FOR XML PATH;
GO
--! error 6854
SELECT 'a' AS [processing-instruction(xml)] FOR XML PATH;
GO
--! error 6879
SELECT 'a--b' AS [comment()] FOR XML PATH;
GO
--! error 9322
SELECT NCHAR(1) AS a FOR XML PATH, TYPE;
GO
--! error 6841 text a
SELECT Id, COUNT(*) AS n FROM dbo.E GROUP BY Id ORDER BY Id FOR XML AUTO;
GO
--! rows
--! <dbo.E Id="1" n="1"/><dbo.E Id="2" n="1"/>
SELECT 1 AS Tag, NULL AS Parent, 5 AS [A!1!x] FOR XML EXPLICIT, ELEMENTS;
GO
--! error 6825
SELECT 1 AS Tag, 3 AS Parent, 5 AS [A!1!x] FOR XML EXPLICIT;
GO
--! error 6807
SELECT 1 AS Tag, NULL AS Parent, 5 AS [A!1!x!nothing] FOR XML EXPLICIT;
GO
--! error 6824
SELECT 1 AS Tag, NULL AS Parent FOR XML EXPLICIT;
GO
--! error 6801
WITH XMLNAMESPACES ('urn:d' AS xml) SELECT 1 AS a FOR XML PATH;
GO
--! error 6872
WITH XMLNAMESPACES ('' AS p) SELECT 1 AS a FOR XML PATH;
GO
--! error 6874
WITH XMLNAMESPACES ('u' AS p, 'v' AS p) SELECT 1 AS a FOR XML PATH;
GO
--! error 6869
WITH XMLNAMESPACES ('u' AS xmlns) SELECT 1 AS a FOR XML PATH;
GO
--! error 6871
WITH XMLNAMESPACES ('u' AS xsi) SELECT 1 AS a FOR XML PATH, ELEMENTS XSINIL;
GO
--! error 6873
WITH XMLNAMESPACES ('u' AS p) SELECT 1 AS Tag, NULL AS Parent, 5 AS [A!1!x] FOR XML EXPLICIT;
GO
--! error 6868
INSERT INTO dbo.E (Name) SELECT Name FROM dbo.E FOR XML PATH;
GO
--! error 6819 text INSERT
DECLARE @v int; SELECT @v = Id FROM dbo.E FOR XML PATH;
GO
--! error 6819
INSERT INTO dbo.E (Name) SELECT Name FROM dbo.E FOR JSON PATH;
GO
--! error 13602
SELECT 1 AS a FOR XML AUTO;
GO
--! error 6800
-- EXPLICIT: the directives (the page "Use EXPLICIT Mode with FOR XML").
SELECT 1 AS Tag, NULL AS Parent, 1 AS [C!1!id], 'n<' AS [C!1!name!element], NULL AS [O!2!id], 'x' AS [O!2!h!hide], '<z/>' AS [O!2!raw!xml], 'a&b' AS [O!2!!cdata]
UNION ALL SELECT 2, 1, 1, NULL, 10, 'h', '<q/>', 'c<d' FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, NULL AS [C!1!id!elementxsinil], '<s a="1">t</s>' AS [C!1!!xmltext] FOR XML EXPLICIT, ROOT ('r');
GO
--! rows
--! <C id="1"><name>n&lt;</name><O id="10"><raw><q/></raw><![CDATA[c<d]]></O></C>
--! rows
--! <r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><C a="1"><id xsi:nil="true"/>t</C></r>
SELECT 1 AS Tag, NULL AS Parent, '<s' AS [C!1!!xmltext] FOR XML EXPLICIT;
GO
--! error 6834
-- At most 128 levels.
DECLARE @x xml = REPLICATE(CAST('<a>' AS varchar(max)), 128) + REPLICATE(CAST('</a>' AS varchar(max)), 128); SELECT @x.value('count(//a)', 'int');
GO
--! rows
--! 128
DECLARE @x xml = REPLICATE(CAST('<a>' AS varchar(max)), 129) + REPLICATE(CAST('</a>' AS varchar(max)), 129);
GO
--! error 6335
-- Without an element for the rows, the values of data() columns form one list.
SELECT Id AS [data()] FROM dbo.E ORDER BY Id FOR XML PATH ('');
SELECT Id AS [text()] FROM dbo.E ORDER BY Id FOR XML PATH ('');
SELECT Id AS [a/data()], Id + 1 AS [a/data()] FROM dbo.E ORDER BY Id FOR XML PATH ('');
GO
--! rows
--! 1 2
--! rows
--! 12
--! rows
--! <a>1 2</a><a>2 3</a>
-- A typed document of tables that the batch itself makes.
CREATE TABLE dbo.New1 (Id int); INSERT INTO dbo.New1 VALUES (1), (2);
SELECT (SELECT Id FROM dbo.New1 FOR XML RAW, TYPE).query('<c>{count(/row)}</c>');
GO
--! rows
--! <c>2</c>
