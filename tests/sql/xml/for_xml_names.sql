-- Names in FOR XML (the pages "Invalid Characters and Escape Rules", "Add Namespaces to Queries with WITH XMLNAMESPACES"): RAW and AUTO escape, PATH
-- and the names in quotes refuse.
SELECT 'namespace-urn' AS 'xmlns:namespace', 1 AS 'namespace:a' FOR XML RAW;
SELECT 1 AS [a b], 1 AS [1a], 1 AS [a_x0020_b], 1 AS [_x], 1 AS [a_Xb], 1 AS [:a], 1 AS [a$b], 1 AS [-a], 1 AS [xml], 1 AS [é], 1 AS [漢字], 1 AS [a×b], 1 AS [𝐀] FOR XML RAW;
CREATE TABLE #tmp (id int, [c d] int); INSERT INTO #tmp VALUES (1, 2);
SELECT id, [c d] FROM #tmp FOR XML AUTO;
SELECT id FROM #tmp AS [a b] FOR XML AUTO;
SELECT 1 AS [a_x0020_b], 2 AS [a𝐀], 3 AS [xml:lang] FOR XML PATH;
WITH XMLNAMESPACES ('uri' AS ns1) SELECT 316 AS 'ns1:ProductID', 'Blade' AS 'ns1:Name', CAST(NULL AS nvarchar(9)) AS 'ns1:Color' FOR XML RAW ('ns1:Prod'), ELEMENTS;
WITH XMLNAMESPACES ('uri' AS ns1) SELECT 316 AS 'ns1:ProductID', 'Blade' AS 'ns1:Name', CAST(NULL AS nvarchar(9)) AS 'ns1:Color' FOR XML RAW, ELEMENTS XSINIL;
WITH XMLNAMESPACES ('uri1' AS ns1, 'uri2' AS ns2, DEFAULT 'uri2') SELECT 317 AS ProductID, 'Black' AS Color FOR XML RAW ('ns1:Product'), ROOT ('ns2:root'), ELEMENTS;
WITH XMLNAMESPACES ('uri' AS p, 'http://www.w3.org/XML/1998/namespace' AS xml) SELECT 1 AS [text()], 2 AS a, 3 AS b FOR XML PATH ('');
WITH XMLNAMESPACES (DEFAULT 'urn:d') SELECT CAST('<!--c--><a x="1"><b/></a><c xmlns="urn:c"/>' AS xml) AS x FOR XML PATH;
SELECT 'en' AS "English/@xml:lang", 'food' AS "English", 'ger' AS "German/@xml:lang", 'Essen' AS "German" FOR XML PATH ('Translation');
GO
--! rows
--! <row xmlns:namespace="namespace-urn" namespace:a="1"/>
--! rows
--! <row a_x0020_b="1" _x0031_a="1" a_x005F_x0020_b="1" _x005F_x="1" a_Xb="1" _x003A_a="1" a_x0024_b="1" _x002D_a="1" xml="1" é="1" 漢字="1" a_x00D7_b="1" _x01D400_="1"/>
--! rows
--! <_x0023_tmp id="1" c_x0020_d="2"/>
--! rows
--! <a_x0020_b id="1"/>
--! rows
--! <row><a_x0020_b>1</a_x0020_b><a𝐀>2</a𝐀><xml:lang>3</xml:lang></row>
--! rows
--! <ns1:Prod xmlns:ns1="uri"><ns1:ProductID>316</ns1:ProductID><ns1:Name>Blade</ns1:Name></ns1:Prod>
--! rows
--! <row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ns1="uri"><ns1:ProductID>316</ns1:ProductID><ns1:Name>Blade</ns1:Name><ns1:Color xsi:nil="true"/></row>
--! rows
--! <ns2:root xmlns="uri2" xmlns:ns2="uri2" xmlns:ns1="uri1"><ns1:Product><ProductID>317</ProductID><Color>Black</Color></ns1:Product></ns2:root>
--! rows
--! 1<a xmlns:p="uri">2</a><b xmlns:p="uri">3</b>
--! rows
--! <row xmlns="urn:d"><x><!--c--><a x="1" xmlns=""><b/></a><c xmlns="urn:c"/></x></row>
--! rows
--! <Translation><English xml:lang="en">food</English><German xml:lang="ger">Essen</German></Translation>
SELECT 1 AS [a b] FOR XML PATH;
GO
--! error 6850 text ' ' (0x0020)
SELECT 1 AS [@] FOR XML PATH;
GO
--! error 6850 text '@' (0x0040)
SELECT 1 AS [@a/b] FOR XML PATH;
GO
--! error 6850
SELECT 1 AS [TEXT()] FOR XML PATH;
GO
--! error 6850 text '('
SELECT 1 AS [*/a] FOR XML PATH;
GO
--! error 6850 text '*'
SELECT 1 AS [processing-instruction(a b)] FOR XML PATH;
GO
--! error 6850
SELECT 1 AS a FOR XML RAW ('r x');
GO
--! error 6850 text Row name
SELECT 1 AS a FOR XML PATH ('a/b');
GO
--! error 6850 text '/'
SELECT 1 AS a FOR XML RAW, ROOT ('t y');
GO
--! error 6850 text ROOT name
SELECT 1 AS a FOR XML RAW, ROOT ('a:b');
GO
--! error 6846 text ROOT
SELECT 1 AS [a b:c] FOR XML PATH;
GO
--! error 6846
SELECT 1 AS [xsi:a] FOR XML PATH;
GO
--! error 6846
WITH XMLNAMESPACES ('u' AS p) SELECT 1 AS [q:a] FOR XML RAW;
GO
--! error 6846
WITH XMLNAMESPACES ('u' AS p) SELECT 1 AS [xmlns:a] FOR XML RAW;
GO
--! error 6867
WITH XMLNAMESPACES ('u' AS [p q]) SELECT 1 AS a;
GO
--! error 6870
WITH XMLNAMESPACES (DEFAULT '') SELECT 1 AS a;
GO
--! error 6874
SELECT 1 AS a, 2 AS a FOR XML RAW;
GO
--! error 6810
SELECT 1 AS [x/@a], 2 AS [x/@a] FOR XML PATH;
GO
--! error 6810
SELECT 1 AS a FOR XML RAW, ELEMENTS, ELEMENTS XSINIL;
GO
--! error 102
DECLARE @v int; SELECT @v = 1 FOR JSON PATH;
GO
--! error 6819 text ASSIGNMENT
-- AUTO: levels, and what rows share (the pages "Use AUTO Mode with FOR XML", "AUTO Mode Heuristics in Shaping Returned XML").
CREATE TABLE dbo.P (id int PRIMARY KEY, nm nvarchar(20), bin varbinary(10), doc xml);
CREATE TABLE dbo.C (pid int, k nvarchar(5), cnm nvarchar(20));
INSERT INTO dbo.P VALUES (1, 'alpha', 0x0102, '<a/>'), (2, 'beta', NULL, NULL);
INSERT INTO dbo.C VALUES (1, 'a&b', 'a1'), (1, 'c', 'a2');
SELECT id FROM dbo.P ORDER BY id FOR XML AUTO;
SELECT 1 AS a FROM dbo.P FOR XML AUTO;
SELECT id, nm FROM dbo.P AS t1 UNION ALL SELECT 3, 'c' ORDER BY id FOR XML AUTO;
SELECT p.nm + 'X' AS calc, p.id, c.cnm FROM dbo.P AS p LEFT JOIN dbo.C AS c ON c.pid = p.id ORDER BY p.id, c.cnm FOR XML AUTO;
SELECT p.id, p.doc, c.cnm FROM dbo.P AS p JOIN dbo.C AS c ON c.pid = p.id ORDER BY c.cnm FOR XML AUTO;
SELECT C.pid, COUNT(*) AS NoOfOrders FROM dbo.C AS C GROUP BY C.pid FOR XML AUTO;
SELECT id, bin FROM dbo.P AS b ORDER BY id FOR XML AUTO;
SELECT id AS zz, bin FROM dbo.P ORDER BY id FOR XML AUTO, ELEMENTS;
CREATE TABLE [Special Chars] (Col1 char(1) PRIMARY KEY, [Col#&2] varbinary(50));
INSERT INTO [Special Chars] VALUES ('&', 0x20), ('#', 0x20);
SELECT * FROM [Special Chars] ORDER BY Col1 DESC FOR XML AUTO;
CREATE TABLE bc (k1 int NOT NULL, k2 nvarchar(5) NOT NULL, bin varbinary(10), CONSTRAINT pk_bc PRIMARY KEY (k1, k2)); INSERT INTO bc VALUES (1, 'a&b', 0x0A0B);
SELECT k1, k2, bin FROM bc FOR XML AUTO;
GO
--! rows
--! <dbo.P id="1"/><dbo.P id="2"/>
--! rows
--! <dbo.P a="1"/><dbo.P a="1"/>
--! rows
--! <t1 id="1" nm="alpha"/><t1 id="2" nm="beta"/><t1 id="3" nm="c"/>
--! rows
--! <p calc="alphaX" id="1"><c cnm="a1"/><c cnm="a2"/></p><p calc="betaX" id="2"><c/></p>
--! rows
--! <p id="1"><doc><a/></doc><c cnm="a1"/></p><p id="1"><doc><a/></doc><c cnm="a2"/></p>
--! rows
--! <C pid="1" NoOfOrders="2"/>
--! rows
--! <b id="1" bin="dbobject/dbo.P[@id='1']/@bin"/><b id="2"/>
--! rows
--! <dbo.P><zz>1</zz><bin>dbobject/dbo.P[@id='1']/@bin</bin></dbo.P><dbo.P><zz>2</zz></dbo.P>
--! rows
--! <Special_x0020_Chars Col1="&amp;" Col_x0023__x0026_2="dbobject/Special_x0020_Chars[@Col1='&amp;']/@Col_x0023__x0026_2"/><Special_x0020_Chars Col1="#" Col_x0023__x0026_2="dbobject/Special_x0020_Chars[@Col1='#']/@Col_x0023__x0026_2"/>
--! rows
--! <bc k1="1" k2="a&amp;b" bin="dbobject/bc[@k1='1'%20and%20@k2='a&amp;b']/@bin"/>
SELECT bin FROM dbo.P FOR XML AUTO;
GO
--! error 6831
SELECT k1, bin FROM bc FOR XML AUTO;
GO
--! error 6831
SELECT id, bin FROM (SELECT * FROM dbo.P) AS d FOR XML AUTO;
GO
--! error 6830
SELECT id, CAST(0x01 AS varbinary(4)) AS c FROM dbo.P FOR XML AUTO;
GO
--! error 6830
SELECT 9 AS id UNION ALL SELECT id FROM dbo.P FOR XML AUTO;
GO
--! error 6800
-- PATH: nodes, NULL beside XSINIL, values written as they are in comments and instructions.
SELECT 'a' AS [text()], 1 AS [data()], 2 AS [data()], 'b' AS [comment()], 3 AS [data()] FOR XML PATH ('r');
SELECT '<b>&' AS [comment()], '<b>&' AS [processing-instruction(p)], '' AS [a/processing-instruction(XmL)], '<b>&' AS [node()] FOR XML PATH ('r');
SELECT CAST(NULL AS int) AS [@c], CAST(NULL AS int) AS [a/text()], CAST(NULL AS int) AS [b/comment()], CAST(NULL AS int) AS [text()] FOR XML PATH ('r'), ELEMENTS XSINIL;
SELECT CAST(NULL AS int) AS x, 1 AS id FOR XML PATH (''), ELEMENTS XSINIL;
GO
--! rows
--! <r>a1 2<!--b-->3</r>
--! rows
--! <r><!--<b>&--><?p <b>&?><a><?XmL ?></a>&lt;b&gt;&amp;</r>
--! rows
--! <r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a xsi:nil="true"/></r>
--! rows
--! <x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/><id xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">1</id>
SELECT 'x' AS [a/@b/c] FOR XML PATH;
GO
--! error 6850
