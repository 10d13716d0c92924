-- OPENXML: mappings, patterns, metaproperties, overflow, the edge table (the pages "OPENXML" and "Specify Metaproperties in OPENXML").
CREATE TABLE dbo.Orders (oid char(5), date datetime, amount float);
GO
DECLARE @h int;
EXEC sp_xml_preparedocument @h OUTPUT, N'<root>
  <Customer cid="C1" name="Janine"><Order oid="O1" date="1/20/1996" amount="3.5"/><Order oid="O2" date="4/30/1997" amount="13.4">Very satisfied</Order></Customer>
  <Customer cid="C2" name="Ursula"><Order oid="O3" date="7/14/1999" amount="100" note="x"><Urgency>Important</Urgency></Order></Customer></root>';
SELECT oid, date, amount FROM OPENXML (@h, '/root/Customer/Order', 1) WITH dbo.Orders;
SELECT * FROM OPENXML (@h, '/root/Customer/Order', 1) WITH (oid char(2), Cid varchar(5) '../@cid', Words varchar(20) 'text()', U varchar(20) 'Urgency');
SELECT * FROM OPENXML (@h, '/root/Customer/Order', 2) WITH (oid char(2), Urgency varchar(20));
SELECT * FROM OPENXML (@h, '/root/Customer/Order', 3) WITH (oid char(2), Urgency varchar(20));
SELECT * FROM OPENXML (@h, '/root/Customer/Order/@oid') WITH (o char(2) '.', n varchar(10) '../../@name');
SELECT * FROM OPENXML (@h, '/root/Customer/Order', 9) WITH (oid char(2), date datetime, rest ntext '@mp:xmltext');
SELECT * FROM OPENXML (@h, '/root/Customer/Order[1]', 1) WITH (oid char(2), whole nvarchar(max) '@mp:xmltext');
SELECT * FROM OPENXML (@h, '/root/Customer/Order', 10) WITH (oid char(2) '@oid', Urgency xml, rest xml '@mp:xmltext') WHERE oid = 'O3';
SELECT * FROM OPENXML (@h, '//Order') WITH (n varchar(9) '@mp:localname', p varchar(9) '@mp:parentlocalname', u varchar(9) '@mp:namespaceuri', first int '@mp:prev') WHERE first IS NULL;
EXEC sp_xml_removedocument @h;
GO
--! rows
--! O1    | 1996-01-20 00:00:00.000 | 3.5
--! O2    | 1997-04-30 00:00:00.000 | 13.4
--! O3    | 1999-07-14 00:00:00.000 | 100.0
--! rows
--! O1 | C1 | NULL | NULL
--! O2 | C1 | Very satisfied | NULL
--! O3 | C2 | NULL | Important
--! rows
--! NULL | NULL
--! NULL | NULL
--! NULL | Important
--! rows
--! O1 | NULL
--! O2 | NULL
--! O3 | Important
--! rows
--! O1 | Janine
--! O2 | Janine
--! O3 | Ursula
--! rows
--! O1 | 1996-01-20 00:00:00.000 | <Order amount="3.5"/>
--! O2 | 1997-04-30 00:00:00.000 | <Order amount="13.4">Very satisfied</Order>
--! O3 | 1999-07-14 00:00:00.000 | <Order amount="100" note="x"><Urgency>Important</Urgency></Order>
--! rows
--! O1 | <Order oid="O1" date="1/20/1996" amount="3.5"/>
--! O3 | <Order oid="O3" date="7/14/1999" amount="100" note="x"><Urgency>Important</Urgency></Order>
--! rows
--! O3 | <Urgency>Important</Urgency> | <Order date="7/14/1999" amount="100" note="x"/>
--! rows
--! Order | Customer | NULL | NULL
--! Order | Customer | NULL | NULL
-- The edge table: without WITH, a row for each node.
DECLARE @h int;
EXEC sp_xml_preparedocument @h OUTPUT, N'<a:r xmlns:a="urn:a"><b k="v">t<c/></b><!-- n --></a:r>';
SELECT id, parentid, nodetype, localname, prefix, namespaceuri, prev, text FROM OPENXML (@h, '/') WHERE nodetype <> 2 OR localname = 'k' ORDER BY id;
SELECT COUNT(*) FROM OPENXML (@h, '//b') WHERE nodetype = 1;
EXEC sp_xml_removedocument @h;
GO
--! rows
--! 0 | NULL | 1 | r | a | urn:a | NULL | NULL
--! 3 | 0 | 1 | b | NULL | NULL | NULL | NULL
--! 4 | 3 | 2 | k | NULL | NULL | NULL | NULL
--! 5 | 3 | 3 | #text | NULL | NULL | NULL | t
--! 6 | 3 | 1 | c | NULL | NULL | 5 | NULL
--! 7 | 0 | 8 | #comment | NULL | NULL | 3 | n
--! 8 | 2 | 3 | #text | NULL | NULL | NULL | urn:a
--! 9 | 4 | 3 | #text | NULL | NULL | NULL | v
--! rows
--! 2
-- Namespaces of patterns come from the third argument.
DECLARE @h int;
EXEC sp_xml_preparedocument @h OUTPUT, N'<root xmlns:a="urn:1"><a:Elem abar="asdf">T<a>a</a>U</a:Elem></root>', N'<ns xmlns:b="urn:1"/>';
SELECT * FROM OPENXML (@h, '/root/b:Elem') WITH (Col1 varchar(20) 'text()', Pre varchar(5) '@mp:prefix');
EXEC sp_xml_removedocument @h;
GO
--! rows
--! T | a
SELECT * FROM OPENXML (7, '/a') WITH (x int);
GO
--! error 8179
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<a/><b/>';
GO
--! error 6602
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<a/>'; SELECT * FROM OPENXML (@h, '/a[') WITH (x int);
GO
--! error 6603
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<a/>'; SELECT * FROM OPENXML (@h, '/a') WITH (x int '@mp:nothing');
GO
--! error 6609
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<a/>'; SELECT * FROM OPENXML (@h, '/a') WITH dbo.NoTable;
GO
--! error 208
-- The numbers of the edge table: texts of attributes last, a text that opens an element without attributes after the node behind it; a namespace is an attribute.
DECLARE @h int;
EXEC sp_xml_preparedocument @h OUTPUT, '<root x="9"><a id="1">txt</a><a id="2"/></root>';
SELECT id, parentid, nodetype, localname, prev, CAST(text AS varchar(20)) FROM OPENXML (@h, '/root');
EXEC sp_xml_preparedocument @h OUTPUT, '<root>t1<b/>t2<c/></root>';
SELECT id, localname, prev FROM OPENXML (@h, '/root');
EXEC sp_xml_preparedocument @h OUTPUT, '<r xmlns:p="urn:x"><p:a/></r>';
SELECT id, nodetype, localname, prefix, namespaceuri FROM OPENXML (@h, '/');
SELECT * FROM OPENXML (@h, '/') WITH (r int, n varchar(9) '@mp:localname');
GO
--! rows
--! 0 | NULL | 1 | root | NULL | NULL
--! 2 | 0 | 2 | x | NULL | NULL
--! 8 | 2 | 3 | #text | NULL | 9
--! 3 | 0 | 1 | a | NULL | NULL
--! 4 | 3 | 2 | id | NULL | NULL
--! 9 | 4 | 3 | #text | NULL | 1
--! 5 | 3 | 3 | #text | NULL | txt
--! 6 | 0 | 1 | a | 3 | NULL
--! 7 | 6 | 2 | id | NULL | NULL
--! 10 | 7 | 3 | #text | NULL | 2
--! rows
--! 0 | root | NULL
--! 3 | #text | NULL
--! 2 | b | 3
--! 4 | #text | 2
--! 5 | c | 4
--! rows
--! 0 | 1 | r | NULL | NULL
--! 2 | 2 | p | xmlns | NULL
--! 4 | 3 | #text | NULL | NULL
--! 3 | 1 | a | p | urn:x
--! rows
--! NULL | NULL
-- Handles: two apart, never given out again, each session has its own; NULL is a document without nodes.
--! session handles IN tempdb
DECLARE @a int, @b int, @c int;
EXEC sp_xml_preparedocument @a OUTPUT, NULL; EXEC sp_xml_preparedocument @b OUTPUT, '<r/>'; EXEC sp_xml_removedocument @b; EXEC sp_xml_preparedocument @c OUTPUT, '<r/>';
SELECT @a, @b, @c;
SELECT COUNT(*) FROM OPENXML (@a, '//*') WITH (id int); SELECT COUNT(*) FROM OPENXML (@a, '/');
GO
--! rows
--! 1 | 3 | 5
--! rows
--! 0
--! rows
--! 0
-- The third argument is a document, too: its comments declare nothing, its references are read, the outer declaration counts, and what is no document is refused.
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<r xmlns="urn:a?b&amp;c"><v>1</v></r>', N'<r xmlns:p="urn:a?b&amp;c"/>'; SELECT v FROM OPENXML (@h, N'/p:r/p:v') WITH (v int N'.');
DECLARE @g int; EXEC sp_xml_preparedocument @g OUTPUT, N'<r xmlns="b"><v>2</v></r>', N'<!-- xmlns:p="a" --><r xmlns:p = ''b''><x xmlns:p="c"/></r>'; SELECT v FROM OPENXML (@g, N'/p:r/p:v') WITH (v int N'.');
GO
--! rows
--! 1
--! rows
--! 2
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<r/>', N'<r xmlns:p="b">';
GO
--! error 6602
DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<r/>', N'xmlns:p="b"';
GO
--! error 6602
