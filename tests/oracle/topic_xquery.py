"""XQuery: sequences, FLWOR, construction, comparison, functions; OPENXML; typed xml."""

from __future__ import annotations

_SEQ = "xquery/sequence-expressions-xquery"
_FLWOR = "xquery/flwor-statement-and-iteration-xquery"
_MAKE = "xquery/xml-construction-xquery"
_COMPARE = "xquery/comparison-expressions-xquery"
_OPENXML = "relational-databases/xml/examples-using-openxml"
_META = "relational-databases/xml/specify-metaproperties-in-openxml"

_EMPTY = "DECLARE @x xml = ''; "
_A = "DECLARE @x xml = '<root><a attrA=\"1\">111</a><a></a><a></a></root>'; "
_C = "DECLARE @x xml = '<a><c>C under a</c></a><b><c>C under b</c></b><c>top level c</c><d></d>'; "
_FIVE = "DECLARE @x xml = '<root>5</root>'; "
_X5 = "DECLARE @x xml = '<x>5</x>'; "
_STEPS = "DECLARE @x xml = '<root><step>This is step 1</step><step>This is step 2</step><step>This is step 3</step></root>'; "
_MANU = """DECLARE @x xml = '<M><Location LocationID="L1" LaborHours="2.5"><Step>Manu step 1 at Loc 1</Step><Step>Manu step 2 at Loc 1</Step><Step>Manu step 3 at Loc 1</Step></Location>
    <Location LocationID="L2" LaborHours="1.75"><Step>Manu step 1 at Loc 2</Step><Step>Manu step 2 at Loc 2</Step></Location></M>'; """

SEQUENCES = [
    (_SEQ, _EMPTY + "SELECT @x.query('(1,2,3,4,5)')", "1 2 3 4 5"),
    (_SEQ, _EMPTY + "SELECT @x.query('(1, 2, (3, 4, (5)))')", "1 2 3 4 5"),
    (_SEQ, _EMPTY + "SELECT @x.query('(<a/>, <b/>)')", "<a/><b/>"),
    (_SEQ, _EMPTY + "SELECT @x.query('(1, 2, <a/>, <b/>)')", "error 2210"),
    (_SEQ, _EMPTY + "SELECT @x.query('(1,2),10,(),(4, 5, 6)')", "1 2 10 4 5 6"),
    (_SEQ, _EMPTY + "SELECT @x.query('for $i in ((1,2),10,(),(4, 5, 6)) order by $i return $i')", "1 2 4 5 6 10"),
    (_SEQ, _EMPTY + "SELECT @x.query('count( (1,2,3,(),4) )')", "4"),
    (_SEQ, _A + "SELECT @x.query('/root/a'), @x.query('/root/a[@attrA]')", '<a attrA="1">111</a><a/><a/> | <a attrA="1">111</a>'),
    (_SEQ, _C + "SELECT @x.query('(/a, /b)/c')", "<c>C under a</c><c>C under b</c>"),
    (_SEQ, _C + "SELECT @x.query('(/a, /b)[c]')", "<a><c>C under a</c></a><b><c>C under b</c></b>"),
    (_SEQ, _EMPTY + "SELECT @x.query('(1 to 3)')", "error 9335"),
    (_SEQ, _C + "SELECT @x.query('/a union /b')", "error 9335"),
]  # fmt: skip

FLWOR = [
    (_FLWOR, _MANU + "SELECT @x.query('for $step in /M/Location[1]/Step return string($step)')", "Manu step 1 at Loc 1 Manu step 2 at Loc 1 Manu step 3 at Loc 1"),
    (_FLWOR, _EMPTY + "SELECT @x.query('for $a in (1, 2, 3) return $a')", "1 2 3"),
    (_FLWOR, _EMPTY + "SELECT @x.query('for $a in for $b in (1, 2, 3) return $b return $a')", "1 2 3"),
    (_FLWOR, "DECLARE @x xml = '<ROOT><a>111</a></ROOT>'; SELECT @x.query('for $a in (xs:string( \"test\"), xs:double( \"12\" ), data(/ROOT/a )) return $a')", "test 12 111"),
    (_FLWOR, _MANU + "SELECT @x.query('for $WC in /M/Location return <Location> <LocationID> { data($WC/@LocationID) } </LocationID> <LaborHours> { data($WC/@LaborHours) } </LaborHours> </Location>')",
     "<Location><LocationID>L1</LocationID><LaborHours>2.5</LaborHours></Location><Location><LocationID>L2</LocationID><LaborHours>1.75</LaborHours></Location>"),
    (_FLWOR, _MANU + "SELECT @x.query('for $WC in /M/Location where count($WC/Step) < 3 return <Location > { $WC/@LocationID } </Location>')", '<Location LocationID="L2"/>'),
    (_FLWOR, _MANU + "SELECT @x.query('for $Loc in /M/Location, $FirstStep in $Loc/Step[1] return string($FirstStep)')", "Manu step 1 at Loc 1 Manu step 1 at Loc 2"),
    (_FLWOR, "DECLARE @x xml = '<r><L id=\"10\"><t>saw</t></L><L id=\"20\"><t>saw</t><t>drill</t></L></r>'; SELECT @x.query('for $T in distinct-values(//t) let $L := //L[.//t[.=$T]] return <tool desc=\"{$T}\" Locations=\"{data($L/@id)}\"/>')",
     '<tool desc="saw" Locations="10 20"/><tool desc="drill" Locations="20"/>'),
    (_FLWOR, "DECLARE @x xml = '<r><t><n>333-333-3333</n></t><t><n>333-333-3334</n></t></r>'; SELECT @x.query('for $a in /r/t order by $a/n[1] descending return $a')",
     "<t><n>333-333-3334</n></t><t><n>333-333-3333</n></t>"),
    (_FLWOR, _EMPTY + "SELECT @x.query('for $a in (<b/>) return $a')", "error 2373"),
]  # fmt: skip

CONSTRUCTION = [
    (_MAKE, _EMPTY + "SELECT @x.query('<P ID=\"111\">Text.<Summary>Some description</Summary> <Features> <Color>Red</Color> <Weight>25</Weight> </Features></P>')",
     '<P ID="111">Text.<Summary>Some description</Summary><Features><Color>Red</Color><Weight>25</Weight></Features></P>'),
    (_MAKE, _FIVE + "SELECT @x.query('<NewRoot><e> { /root } </e></NewRoot>')", "<NewRoot><e><root>5</root></e></NewRoot>"),
    (_MAKE, _FIVE + "SELECT @x.query('<NewRoot> <e> { data(/root) } </e> </NewRoot>')", "<NewRoot><e>5</e></NewRoot>"),
    (_MAKE, _FIVE + "SELECT @x.query('<NewRoot> Hello, I can use {{ and  }} as part of my text</NewRoot>')", "<NewRoot> Hello, I can use { and  } as part of my text</NewRoot>"),
    (_MAKE, _STEPS + "SELECT @x.query('<result> { for $i in /root[1]/step return string($i) } </result>')", "<result>This is step 1 This is step 2 This is step 3</result>"),
    (_MAKE, _STEPS + "SELECT @x.query('<result> { string(/root[1]/step[1]) } { string(/root[1]/step[2]) } { string(/root[1]/step[3]) } </result>')", "<result>This is step 1This is step 2This is step 3</result>"),
    (_MAKE, _FIVE + "SELECT @x.query('<NewRoot attr=\"{ data(/root) }\" ></NewRoot>')", '<NewRoot attr="5"/>'),
    (_MAKE, _X5 + "SELECT @x.query('<a attr=\"Item {/x}\"/>')", "error 9313"),
    (_MAKE, _X5 + "SELECT @x.query('<a attr=\"{''Item'', data(/x)}\"/>')", '<a attr="Item 5"/>'),
    (_MAKE, _X5 + "SELECT @x.query('<a attr=\"{concat(''Item'', /x[1])}\"/>')", '<a attr="Item5"/>'),
    (_MAKE, _X5 + "SELECT @x.query('<a attr=\"{/x}{/x}\"/>')", "error 9313"),
    (_MAKE, _X5 + "SELECT @x.query('<a attr=\"{''Item'', /x }\" />')", "error 2210"),
    (_MAKE, "SELECT CONVERT(xml, '').query('element x { attribute att { \"pass\" }, element y { \"Element text\" }, attribute att2 { \"fail\" } }')", "error 6307"),
    (_MAKE, _X5 + "SELECT @x.query('<a xmlns=\"a\"> <b xmlns=\"\"/> </a>')", '<a xmlns="a"><b xmlns=""/></a>'),
    (_MAKE, _X5 + "SELECT @x.query('<x:a xmlns:x=\"a\"> <b/> </x:a>')", '<x:a xmlns:x="a"><b/></x:a>'),
    (_MAKE, _X5 + "SELECT @x.query('<x:a xmlns:x=\"a\"> <b xmlns:x=\"\"/> </x:a>')", "error 2348"),
    (_MAKE, "DECLARE @x xml = '<p:r xmlns:p=\"u\"><p:L id=\"10\"/></p:r>'; SELECT @x.query('<First xmlns:q=\"u\" id=\"{ (/q:r/q:L[1]/@id)[1] }\"/>')", '<First xmlns:q="u" id="10"/>'),
]  # fmt: skip

OPERATORS = [
    (_COMPARE, _EMPTY + "SELECT @x.query('(1,2,3) = (3,4)')", "true"),
    (_COMPARE, "DECLARE @x xml = '<a>6</a>'; SELECT @x.query('/a[1] < 7'), @x.query('/a[1] < \"17\"')", "true | false"),
    (_COMPARE, "DECLARE @x xml = '<r><P><Size>small</Size></P><P><Size>big</Size></P></r>'; SELECT @x.query('for $P in /r/P[Size = \"small\"] return $P')", "<P><Size>small</Size></P>"),
    (_COMPARE, "DECLARE @x xml = '<r><P><Size>small</Size></P></r>'; SELECT @x.query('(/r/P/Size)[1] eq \"small\", (/r/P/None)[1] eq \"small\"')", "true false"),
    (_COMPARE, _MANU + "SELECT @x.query('if ((//M/Location[@LocationID=\"L1\"])[1] is (//M/Location[1])[1]) then <Result>equal</Result> else <Result>Not-equal</Result>')", "<Result>equal</Result>"),
    (_COMPARE, _MANU + "SELECT @x.value('(/M/Location/Step)[1] << (/M/Location/Step)[2]', 'nvarchar(10)')", "true"),
    ("xquery/constructor-functions-xquery", ("DECLARE @x xml = '<root><P ID=\"1\"><D V=\"2000-01-01T00:00:00Z\"/></P><P ID=\"2\"><D V=\"2001-01-01T00:00:00Z\"/></P></root>'; "
     "SELECT @x.query('for $P in /root/P where xs:dateTime(data( ($P/D/@V)[1] )) < xs:dateTime(\"2001-01-01T00:00:00Z\") return element Product { ( attribute ProductID { data($P/@ID ) }, attribute DateCreated { data( ($P/D/@V)[1] ) } ) }')"),
     '<Product ProductID="1" DateCreated="2000-01-01T00:00:00Z"/>'),
    ("xquery/numeric-values-functions-round", _EMPTY + "SELECT @x.query('round(2.5)'), @x.query('round(2.4999)'), @x.query('round(-2.5)'), @x.query('round(())')", "3 | 2 | -2 |"),
]  # fmt: skip

_ORDERS = """DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<ROOT>
    <Customer CustomerID="VINET" ContactName="Paul Henriot"><Order OrderID="10248" CustomerID="VINET" EmployeeID="5" OrderDate="1996-07-04T00:00:00"><OrderDetail ProductID="11" Quantity="12"/><OrderDetail ProductID="42" Quantity="10"/></Order></Customer>
    <Customer CustomerID="LILAS" ContactName="Carlos Gonzalez"><Order OrderID="10283" CustomerID="LILAS" EmployeeID="3" OrderDate="1996-08-16T00:00:00"><OrderDetail ProductID="72" Quantity="3"/></Order></Customer></ROOT>'; """
_CUSTOMERS = """DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<root>
  <Customer cid= "C1" name="Janine" city="Issaquah">
      <Order oid="O1" date="1/20/1996" amount="3.5" />
      <Order oid="O2" date="4/30/1997" amount="13.4">Customer was very satisfied</Order>
   </Customer>
   <Customer cid="C2" name="Ursula" city="Oelde" >
      <Order oid="O3" date="7/14/1999" amount="100" note="Wrap it blue white red">
          <Urgency>Important</Urgency>
      </Order>
      <Order oid="O4" date="1/20/1996" amount="10000"/>
   </Customer>
</root>'; """

OPENXML = [
    (_OPENXML, _ORDERS + "SELECT * FROM OPENXML (@h, '/ROOT/Customer', 1) WITH (CustomerID varchar(10), ContactName varchar(20))", "VINET | Paul Henriot", "LILAS | Carlos Gonzalez"),
    (_OPENXML, _ORDERS + "SELECT * FROM OPENXML (@h, '/ROOT/Customer', 2) WITH (CustomerID varchar(10), ContactName varchar(20))", "NULL | NULL", "NULL | NULL"),
    (_OPENXML, _ORDERS + "SELECT * FROM OPENXML (@h, '/ROOT/Customer/Order/OrderDetail', 2) WITH (OrderID int '../@OrderID', CustomerID varchar(10) '../@CustomerID', OrderDate datetime '../@OrderDate', ProdID int '@ProductID', Qty int '@Quantity')",
     "10248 | VINET | 1996-07-04 00:00:00.000 | 11 | 12", "10248 | VINET | 1996-07-04 00:00:00.000 | 42 | 10", "10283 | LILAS | 1996-08-16 00:00:00.000 | 72 | 3"),
    (_OPENXML, ("DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<ROOT><Customer CustomerID=\"VINET\"><ContactName>Paul Henriot</ContactName></Customer></ROOT>'; "
     "SELECT * FROM OPENXML (@h, '/ROOT/Customer', 3) WITH (CustomerID varchar(10), ContactName varchar(20))"), "VINET | Paul Henriot"),
    (_OPENXML, "CREATE TABLE #T1 (oid char(5), date datetime, amount float); " + _CUSTOMERS + "SELECT * FROM OPENXML (@h, '/root/Customer/Order', 1) WITH #T1",
     "O1    | 1996-01-20 00:00:00.000 | 3.5", "O2    | 1997-04-30 00:00:00.000 | 13.4", "O3    | 1999-07-14 00:00:00.000 | 100.0", "O4    | 1996-01-20 00:00:00.000 | 10000.0"),
    (_OPENXML, _ORDERS + "SELECT COUNT(*) FROM OPENXML (@h, '/') WHERE localname = 'Customer'; SELECT DISTINCT localname FROM OPENXML (@h, '/') WHERE nodetype = 1 ORDER BY localname", "2", "Customer", "Order", "OrderDetail", "ROOT"),
    (_OPENXML, _ORDERS + "SELECT * FROM OPENXML (@h, '/ROOT/Customer/Order/OrderDetail/@ProductID') WITH (ProdID int '.', Qty int '../@Quantity', OID int '../../@OrderID')", "11 | 12 | 10248", "42 | 10 | 10248", "72 | 3 | 10283"),
    (_OPENXML, "DECLARE @h int; EXEC sp_xml_preparedocument @h OUTPUT, N'<root xmlns:a=\"urn:1\"><a:Elem abar=\"asdf\">T<a>a</a>U</a:Elem></root>', '<ns xmlns:b=\"urn:1\" />'; SELECT * FROM OPENXML (@h, '/root/b:Elem') WITH (Col1 varchar(20) 'text()')", "T"),
    (_OPENXML, ("DECLARE @h int, @x xml = '<Root><row id=\"1\"><lname>Duffy</lname><Address><Street>111 Maple</Street></Address></row><row id=\"2\"><lname>Wang</lname><Address><Street>222 Pine</Street></Address></row></Root>'; "
     "EXEC sp_xml_preparedocument @h OUTPUT, @x; SELECT * FROM OPENXML (@h, '/Root/row', 10) WITH (id int '@id', lname varchar(30), xmlname xml 'lname', OverFlow xml '@mp:xmltext')"),
     "1 | Duffy | <lname>Duffy</lname> | <row><Address><Street>111 Maple</Street></Address></row>", "2 | Wang | <lname>Wang</lname> | <row><Address><Street>222 Pine</Street></Address></row>"),
    (_META, _CUSTOMERS + "SELECT * FROM OPENXML (@h, '/root/Customer/Order', 9) WITH (id int '@mp:id', oid char(5), date datetime, amount float, parentIDNo int '@mp:parentid', parentLocalName varchar(40) '@mp:parentlocalname')",
     "6 | O1    | 1996-01-20 00:00:00.000 | 3.5 | 2 | Customer", "10 | O2    | 1997-04-30 00:00:00.000 | 13.4 | 2 | Customer", "19 | O3    | 1999-07-14 00:00:00.000 | 100.0 | 15 | Customer",
     "25 | O4    | 1996-01-20 00:00:00.000 | 10000.0 | 15 | Customer"),
]  # fmt: skip

EXAMPLES = SEQUENCES + FLWOR + CONSTRUCTION + OPERATORS + OPENXML
