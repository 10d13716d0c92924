"""XML: the methods of the xml type, XML DML, FOR XML."""

from __future__ import annotations

_INSERT = "t-sql/xml/insert-xml-dml"
_REPLACE = "t-sql/xml/replace-value-of-xml-dml"
_EXIST = "t-sql/xml/exist-method-xml-data-type"
_NODES = "t-sql/xml/nodes-method-xml-data-type"
_PATH = "relational-databases/xml/columns-with-a-name"
_BIKE = """DECLARE @x xml = '<Root><ProductDescription ProductID="1" ProductName="Road Bike"><Features></Features></ProductDescription></Root>'; """
_WORK = """DECLARE @x xml = '<Root><Location LocationID="10" LaborHours="1.2"><step>1</step><step>2</step></Location></Root>'; """
_ROWS = """DECLARE @x xml = '<Root><row id="1"><name>Larry</name><oflw>some text</oflw></row><row id="2"><name>moe</name></row><row id="3" /></Root>'; """
_FEATURES = "(/Root/ProductDescription/Features)[1]"
_PERSON = "(VALUES (1, 'Gustavo', CAST(NULL AS varchar(9)), 'Achong', '7726 Driftwood Drive', 'Monroe')) AS p(id, f, m, l, a, c)"

METHODS = [
    ("t-sql/xml/query-method-xml-data-type", "DECLARE @x xml = '<Root><ProductDescription ProductID=\"1\"><Features><Warranty>1 year parts and labor</Warranty></Features></ProductDescription></Root>'; SELECT @x.query('/Root/ProductDescription/Features')",
     "<Features><Warranty>1 year parts and labor</Warranty></Features>"),
    (_EXIST, "DECLARE @x xml = ''; SELECT @x.exist('true()')", "1"),
    (_EXIST, "DECLARE @x xml; SELECT @x.exist('/a')", "NULL"),
    (_EXIST, "DECLARE @x xml = '<root Somedate = \"2002-01-01Z\"/>'; SELECT @x.exist('/root[(@Somedate cast as xs:date?) eq xs:date(\"2002-01-01Z\")]')", "1"),
    (_EXIST, "DECLARE @x xml = '<Somedate>2002-01-01Z</Somedate>'; SELECT @x.exist('/Somedate[(text()[1] cast as xs:date ?) = xs:date(\"2002-01-01Z\") ]')", "1"),
    (_NODES, _ROWS + "SELECT T.c.query('.') FROM @x.nodes('/Root/row') AS T(c)", '<row id="1"><name>Larry</name><oflw>some text</oflw></row>', '<row id="2"><name>moe</name></row>', '<row id="3"/>'),
    (_NODES, "SELECT b.n.query('.') FROM (SELECT CAST('<document/>' AS xml)) AS a(x) CROSS APPLY x.nodes('.') AS b(n)", "<document/>"),
    (_NODES, ("CREATE TABLE #m (id int, x xml); INSERT #m VALUES (7, '<root><Location LocationID=\"10\"><step>a</step><step>b</step></Location><Location LocationID=\"20\"><step>c</step></Location></root>'); "
     "SELECT id, l.n.value('./@LocationID', 'int'), s.n.query('.') FROM #m CROSS APPLY x.nodes('/root/Location') AS l(n) CROSS APPLY l.n.nodes('./step') AS s(n)"), "7 | 10 | <step>a</step>", "7 | 10 | <step>b</step>", "7 | 20 | <step>c</step>"),
]  # fmt: skip

CHANGES = [
    (_INSERT, _BIKE + f"SET @x.modify('insert <Maintenance>3 year</Maintenance> into {_FEATURES}'); SET @x.modify('insert <Warranty>1 year</Warranty> as first into {_FEATURES}'); "
     f"SET @x.modify('insert <Material>Aluminium</Material> as last into {_FEATURES}'); SET @x.modify('insert <BikeFrame>Strong</BikeFrame> after (/Root/ProductDescription/Features/Material)[1]'); SELECT @x.query('//Features')",
     "<Features><Warranty>1 year</Warranty><Maintenance>3 year</Maintenance><Material>Aluminium</Material><BikeFrame>Strong</BikeFrame></Features>"),
    (_INSERT, _BIKE + f"DECLARE @n xml = '<a>1</a><b>2</b>'; SET @x.modify('insert sql:variable(\"@n\") into {_FEATURES}'); SELECT @x.query('//Features')", "<Features><a>1</a><b>2</b></Features>"),
    (_INSERT, _WORK + "DECLARE @h float = .2; SET @x.modify('insert attribute A {\".5\" } into (/Root/Location[@LocationID=10])[1]'); SET @x.modify('insert attribute M {sql:variable(\"@h\") } into (/Root/Location[@LocationID=10])[1]'); "
     "SET @x.modify('insert ( attribute S {\".5\" }, attribute O {\".2\"} ) into (/Root/Location[@LocationID=10])[1]'); SELECT @x.value('/Root[1]/Location[1]/@A', 'varchar(9)'), @x.value('/Root[1]/Location[1]/@S', 'varchar(9)'), "
     "@x.value('/Root[1]/Location[1]/@O', 'varchar(9)'), @x.value('/Root[1]/Location[1]/@M', 'float')", ".5 | .5 | .2 | 0.20000000000000001"),
    (_INSERT, _WORK + "SET @x.modify('insert <!-- some comment --> after (/Root/Location[@LocationID=10]/step[1])[1]'); SELECT @x.query('/Root/Location/node()')", "<step>1</step><!-- some comment --><step>2</step>"),
    (_INSERT, _BIKE + f"SET @x.modify('insert <![CDATA[ <notxml> as text </notxml> or cdata ]]> into {_FEATURES}'); SELECT @x.query('//Features')", "<Features> &lt;notxml&gt; as text &lt;/notxml&gt; or cdata </Features>"),
    (_INSERT, _WORK + "SET @x.modify('insert text{\"Product Catalog Description\"} as first into (/Root)[1]'); SELECT @x.query('/Root/text()')", "Product Catalog Description"),
    (_INSERT, _WORK + "SET @x.modify('insert if (/Root/Location[@LocationID=10]) then attribute MachineHours {\".5\"} else () as first into (/Root/Location[@LocationID=10])[1]'); SELECT @x.value('(/Root/Location/@MachineHours)[1]', 'varchar(5)')", ".5"),
    (_INSERT, _WORK + "SET @x.modify('insert if (count(/Root/Location/step) <= 2) then element step { \"This is a new step\" } else () as last into (/Root/Location[@LocationID=10])[1]'); SELECT @x.query('/Root/Location/step')",
     "<step>1</step><step>2</step><step>This is a new step</step>"),
    (_INSERT, "CREATE TABLE #t (i int, x xml); INSERT #t VALUES (1, '<Root><F><W>1 year</W></F></Root>'); UPDATE #t SET x.modify('insert <Material>Aluminium</Material> as first into (/Root/F)[1]'); SELECT x.query('//F') FROM #t",
     "<F><Material>Aluminium</Material><W>1 year</W></F>"),
    (_REPLACE, _WORK + "SET @x.modify('replace value of (/Root/Location/step[1]/text())[1] with \"new text describing the manu step\"'); SET @x.modify('replace value of (/Root/Location/@LaborHours)[1] with \"100.0\"'); SELECT @x",
     '<Root><Location LocationID="10" LaborHours="100.0"><step>new text describing the manu step</step><step>2</step></Location></Root>'),
    (_REPLACE, _WORK + "SET @x.modify('replace value of (/Root/Location[1]/@LaborHours)[1] with ( if (count(/Root/Location[1]/step) > 3) then \"3.0\" else \"1.0\" )'); SELECT @x.value('(//@LaborHours)[1]', 'varchar(5)')", "1.0"),
    (_REPLACE, "CREATE TABLE #t (i int, x xml); INSERT #t VALUES (1, '<Root><P ProductName=\"Road Bike\"/></Root>'); UPDATE #t SET x.modify('replace value of (/Root/P/@ProductName)[1] with \"New Road Bike\" '); SELECT x.query('/Root/P') FROM #t",
     '<P ProductName="New Road Bike"/>'),
]  # fmt: skip

FOR_XML = [
    (_PATH, "SELECT 7 AS \"@PmId\", 'HL Touring Frame' AS Name FOR XML PATH", '<row PmId="7"><Name>HL Touring Frame</Name></row>'),
    (_PATH, "SELECT 'HL Touring Frame' AS Name, 7 AS \"@PmId\" FOR XML PATH", "error 6852"),
    (_PATH, "SELECT 2+2 AS result FOR XML PATH", "<row><result>4</result></row>"),
    (_PATH, f'SELECT id "@EmpID", f "EmpName/First", m "EmpName/Middle", l "EmpName/Last" FROM {_PERSON} FOR XML PATH', '<row EmpID="1"><EmpName><First>Gustavo</First><Last>Achong</Last></EmpName></row>'),
    (_PATH, f'SELECT id "@EmpID", f "EmpName/First", m "EmpName/Middle", l "EmpName/Last" FROM {_PERSON} FOR XML PATH, ELEMENTS XSINIL',
     '<row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" EmpID="1"><EmpName><First>Gustavo</First><Middle xsi:nil="true"/><Last>Achong</Last></EmpName></row>'),
    (_PATH, f'SELECT id "@EmpID", f "EmpName/First", m "EmpName/Middle", l "EmpName/Last", a "Address/AddrLine1", m "Address/AddrLIne2", c "Address/City" FROM {_PERSON} FOR XML PATH',
     '<row EmpID="1"><EmpName><First>Gustavo</First><Last>Achong</Last></EmpName><Address><AddrLine1>7726 Driftwood Drive</AddrLine1><City>Monroe</City></Address></row>'),
    (_PATH, f'SELECT id "@EmpID", f "EmpName/First", a "Address/AddrLine1", c "Address/City", m "EmpName/Middle", l "EmpName/Last" FROM {_PERSON} FOR XML PATH',
     '<row EmpID="1"><EmpName><First>Gustavo</First></EmpName><Address><AddrLine1>7726 Driftwood Drive</AddrLine1><City>Monroe</City></Address><EmpName><Last>Achong</Last></EmpName></row>'),
]  # fmt: skip

EXAMPLES = METHODS + CHANGES + FOR_XML
