-- XQuery constructors and FLWOR (the pages "XML Construction (XQuery)" and "FLWOR Statement and Iteration (XQuery)").
CREATE TABLE #Doc (Id int, Name nvarchar(20), X xml);
INSERT INTO #Doc VALUES (1, N'a<b', N'<r><s n="1">one</s><s n="3">three</s><s n="2">two</s></r>');
GO
SELECT X.query('<all k="{count(/r/s)}" plain="x">{/r/s[1]}</all>') FROM #Doc;
SELECT X.query('<i name="{sql:column("Name")}" id="{sql:column("Id")}">{sql:column("#Doc.Name")}</i>') FROM #Doc;
SELECT X.query('for $s in /r/s where $s/@n > 1 order by $s/@n descending return <s>{string($s)}</s>') FROM #Doc;
SELECT X.query('for $s in /r/s let $n := $s/@n order by $n return <s n="{$n}"/>') FROM #Doc;
SELECT X.query('for $a in (1, 2), $b in ("x", "y") return <p>{$a}{$b}</p>') FROM #Doc;
SELECT X.query('element t { attribute n {1 + 1}, element u {"v"}, text {"w"} }') FROM #Doc;
SELECT X.query('<a>{{}} {1, 2}<!-- c --><?pi x?><![CDATA[<&]]>&lt;</a>') FROM #Doc;
SELECT X.query('<a> <b/> </a>, <a>x </a>') FROM #Doc;
SELECT X.query('if (/r/s[@n = 9]) then <yes/> else <no/>') FROM #Doc;
SELECT X.query('some $s in /r/s satisfies $s/@n = 3'), X.query('every $s in /r/s satisfies $s/@n = 3') FROM #Doc;
GO
--! rows
--! <all k="3" plain="x"><s n="1">one</s></all>
--! rows
--! <i name="a&lt;b" id="1">a&lt;b</i>
--! rows
--! <s>three</s><s>two</s>
--! rows
--! <s n="1"/><s n="2"/><s n="3"/>
--! rows
--! <p>1x</p><p>1y</p><p>2x</p><p>2y</p>
--! rows
--! <t n="2"><u>v</u>w</t>
--! rows
--! <a>{} 1 2<!-- c --><?pi x?>&lt;&amp;&lt;</a>
--! rows
--! <a><b/></a><a>x </a>
--! rows
--! <no/>
--! rows
--! true | false
-- Namespaces: of the prolog, of WITH XMLNAMESPACES, of the constructor; a copied node brings those it uses.
DECLARE @x xml = N'<p:r xmlns:p="urn:p"><p:s/></p:r>';
SELECT @x.query('declare namespace q="urn:p"; <q:a>{/q:r/q:s}</q:a>');
SELECT @x.query('declare default element namespace "urn:d"; <a/>');
SELECT @x.query('<a xmlns="urn:d" xmlns:z="urn:z"><z:b/></a>');
WITH XMLNAMESPACES ('urn:p' AS w) SELECT @x.query('<w:a>{count(/w:r/w:s)}</w:a>');
GO
--! rows
--! <q:a xmlns:q="urn:p"><p:s xmlns:p="urn:p"/></q:a>
--! rows
--! <a xmlns="urn:d"/>
--! rows
--! <a xmlns="urn:d" xmlns:z="urn:z"><z:b/></a>
--! rows
--! <w:a xmlns:w="urn:p">1</w:a>
