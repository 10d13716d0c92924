-- nodes(): each row is a node of its document, from which paths go up and to the top.
DECLARE @x xml = N'<r k="7"><a id="1"><b/><b/></a><a id="2"/></r>';
SELECT t.c.value('@id', 'int'), t.c.value('../@k', 'int'), t.c.value('count(/r/a)', 'int'), t.c.query('..') FROM @x.nodes('/r/a') AS t (c);
SELECT t.c.value('.', 'int') FROM @x.nodes('/r/a/@id') AS t (c);
SELECT t.c.value('@id', 'int'), u.d.value('../@id', 'int'), u.d.value('count(../b)', 'int') FROM @x.nodes('/r/a') AS t (c) CROSS APPLY t.c.nodes('b') AS u (d);
SELECT t.c.value('.', 'varchar(9)') FROM (SELECT CAST(N'<r>one<a/>two</r>' AS xml)) AS d (x) CROSS APPLY d.x.nodes('/r/text()') AS t (c);
GO
--! rows
--! 1 | 7 | 2 | <r k="7"><a id="1"><b/><b/></a><a id="2"/></r>
--! 2 | 7 | 2 | <r k="7"><a id="1"><b/><b/></a><a id="2"/></r>
--! rows
--! 1
--! 2
--! rows
--! 1 | 1 | 2
--! 1 | 1 | 2
--! rows
--! one
--! two
-- sql:column() in nodes().
CREATE TABLE #T (Want int, X xml);
INSERT INTO #T VALUES (2, N'<r><a n="1"/><a n="2"/></r>'), (1, N'<r><a n="1"/></r>');
SELECT s.Want, t.c.value('@n', 'int') FROM #T AS s CROSS APPLY s.X.nodes('/r/a[@n = sql:column("s.Want")]') AS t (c) ORDER BY s.Want;
GO
--! rows
--! 1 | 1
--! 2 | 2
