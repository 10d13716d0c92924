-- FOR XML EXPLICIT (the page "Use EXPLICIT Mode with FOR XML" and its examples).
CREATE TABLE ut (ord int, tg int, pr int, pid int, cid int, gid int);
INSERT INTO ut VALUES (1, 1, NULL, 1, NULL, NULL), (2, 2, 1, NULL, 10, NULL), (3, 3, 2, NULL, NULL, 100), (4, 2, 1, NULL, 11, NULL), (5, 1, 0, 2, NULL, NULL);
SELECT tg AS Tag, pr AS Parent, pid AS [p!1!id], cid AS [c!2!cid], gid AS [g!3!gid] FROM ut ORDER BY ord FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, 'x' AS [e!1!a!element], 'y' AS [e!1!b], 'A' AS [e!1], 'z' AS [e!1!c!ELEMENT], 'B' AS [e!1!], 'C' AS [e!1!!element] FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e f!1!a b], 'v' AS [e f!1!h!hide], 1 AS [e f!1!i!id], 2 AS [e f!1!j!idref!element] FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, 'a]]>b' AS [e!1!!cdata], 'zz' AS [e!1!k!cdata], 'a & b' AS [e!1!x!xml] FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a], '<over  a="9" p = ''1"'' >  <k  ></k>t</over>' AS [e!1!!xmltext], 'z' AS [e!1!c!element] FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, '<over/>' AS [e!1!!xmltext], CAST('<b>x</b>' AS xml) AS [e!1!d] FOR XML EXPLICIT;
SELECT 1 AS Tag, NULL AS Parent, '<over x="1"/>' AS [e!1!ov!xmltext] FOR XML EXPLICIT, ROOT ('r');
-- IDREFS: a list of the values of the rows that follow (the page "Specifying the ID and IDREFS Directives").
SELECT 1 AS Tag, 0 AS Parent, 'C1' AS [Customer!1!CustomerID], CAST(NULL AS varchar(9)) AS [Customer!1!SalesOrderIDList!IDREFS], CAST(NULL AS varchar(9)) AS [SalesOrder!2!SalesOrderID!ID]
UNION ALL SELECT 1, 0, 'C1', 'O11', NULL UNION ALL SELECT 1, 0, 'C1', 'O22', NULL UNION ALL SELECT 2, 1, 'C1', NULL, 'O11' UNION ALL SELECT 2, 1, 'C1', NULL, 'O22' FOR XML EXPLICIT;
GO
--! rows
--! <p id="1"><c cid="10"><g gid="100"/></c><c cid="11"/></p><p id="2"/>
--! rows
--! <e b="y"><a>x</a>A<c>z</c>BC</e>
--! rows
--! <e f a b="1" i="1"><j>2</j></e f>
--! rows
--! <e><![CDATA[a]]]><![CDATA[]>b]]><k><![CDATA[zz]]></k><x>a & b</x></e>
--! rows
--! <e a="1" p="1"">  <k  ></k>t<c>z</c></e>
--! rows
--! <e><d><b xmlns="">x</b></d></e>
--! rows
--! <r><e><ov x="1"/></e></r>
--! rows
--! <Customer CustomerID="C1" SalesOrderIDList=" O11 O22"><SalesOrder SalesOrderID="O11"/><SalesOrder SalesOrderID="O22"/></Customer>
SELECT 1 AS Tag, NULL AS Parent, 1 AS plain FOR XML EXPLICIT;
GO
--! error 6802
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!0!a] FOR XML EXPLICIT;
GO
--! error 6802
SELECT CAST(1 AS bigint) AS Tag, NULL AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT;
GO
--! error 6803
SELECT 0 AS Tag, NULL AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT;
GO
--! error 6803
SELECT 1 AS Tag, '1' AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT;
GO
--! error 6804
SELECT 1 AS Tag, -1 AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT;
GO
--! error 6804
SELECT 1 AS Tag, 0 AS Parent, 1 AS [e!1!a], 1 AS [f!2!b] UNION ALL SELECT 2, 1, 1, 1 UNION ALL SELECT 1, 2, 1, 1 FOR XML EXPLICIT;
GO
--! error 6805
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!2!a] FOR XML EXPLICIT;
GO
--! error 6806
SELECT 1 AS Tag, 5 AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT;
GO
--! error 6807
SELECT 1 AS Tag, 1 AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT;
GO
--! error 6833
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a], 2 AS [E!1!b] FOR XML EXPLICIT;
GO
--! error 6812
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a!id!idref] FOR XML EXPLICIT;
GO
--! error 6813
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a!id!hide] FOR XML EXPLICIT;
GO
--! error 6815
SELECT 1 AS Tag, NULL AS Parent, 'x' AS [e!1!a!id!cdata] FOR XML EXPLICIT;
GO
--! error 6816
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a!element!cdata] FOR XML EXPLICIT;
GO
--! error 6817
SELECT 1 AS Tag, NULL AS Parent, 'v' AS [e!1!!] FOR XML EXPLICIT;
GO
--! error 6824
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a!idrefs] FOR XML EXPLICIT;
GO
--! error 6826
SELECT 1 AS Tag, NULL AS Parent, '<o/>' AS [e!1!!xmltext], '<o/>' AS [e!1!!xmltext] FOR XML EXPLICIT;
GO
--! error 6827
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!!xmltext] FOR XML EXPLICIT;
GO
--! error 6828
SELECT 1 AS Tag, NULL AS Parent, 0x01 AS [e!1!b] FOR XML EXPLICIT;
GO
--! error 6829
SELECT 1 AS Tag, NULL AS Parent, 'plain' AS [e!1!!xmltext] FOR XML EXPLICIT;
GO
--! error 6834
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a!hide!hide] FOR XML EXPLICIT;
GO
--! error 6835
SELECT 1 AS Tag, NULL AS Parent, '<o/>' AS [e!1!!xmltext], CAST(NULL AS varchar(9)) AS [e!1!l!nmtokens] FOR XML EXPLICIT;
GO
--! error 6839
SELECT 1 AS Tag, NULL AS Parent, CAST('<a/>' AS xml) AS [e!1!!cdata] FOR XML EXPLICIT;
GO
--! error 6843
SELECT 1 AS Tag, NULL AS Parent, 1 AS [e!1!a] FOR XML EXPLICIT, XMLSCHEMA;
GO
--! error 3625
