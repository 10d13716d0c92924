-- FOR XML … XMLSCHEMA (the page "Generate an Inline XSD Schema").
CREATE TABLE ProductModel (ProductModelID int NOT NULL, Name nvarchar(50) NOT NULL); INSERT INTO ProductModel VALUES (122, 'All-Purpose Bike Stand');
SELECT ProductModelID, Name FROM ProductModel FOR XML RAW, XMLSCHEMA ('urn:example.com');
SELECT ProductModelID, Name FROM ProductModel FOR XML AUTO, XMLSCHEMA, ROOT ('r');
CREATE TABLE T (ProductID int PRIMARY KEY, ListPrice money, DealerPrice money); INSERT INTO T VALUES (1, 1.25, NULL);
SELECT ProductID, ListPrice AS Price, DealerPrice AS Price FROM T FOR XML RAW, ELEMENTS, XMLSCHEMA;
SELECT ProductID, ListPrice AS Price, DealerPrice AS Price FROM T FOR XML RAW, ELEMENTS XSINIL, XMLSCHEMA;
CREATE TABLE H (id int NOT NULL); CREATE TABLE D (hid int NOT NULL, qty smallint NOT NULL, x xml, d decimal(9, 2), b varbinary(5)); INSERT INTO H VALUES (1);
SELECT H.id, D.qty, D.x, D.d, D.b FROM H LEFT JOIN D ON D.hid = H.id FOR XML AUTO, ELEMENTS, XMLSCHEMA ('u'), BINARY BASE64;
GO
--! rows
--! <xsd:schema targetNamespace="urn:example.com" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:sqltypes="http://schemas.microsoft.com/sqlserver/2004/sqltypes" elementFormDefault="qualified"><xsd:import namespace="http://schemas.microsoft.com/sqlserver/2004/sqltypes" schemaLocation="http://schemas.microsoft.com/sqlserver/2004/sqltypes/sqltypes.xsd"/><xsd:element name="row"><xsd:complexType><xsd:attribute name="ProductModelID" type="sqltypes:int" use="required"/><xsd:attribute name="Name" use="required"><xsd:simpleType><xsd:restriction base="sqltypes:nvarchar" sqltypes:localeId="1033" sqltypes:sqlCompareOptions="IgnoreCase IgnoreKanaType IgnoreWidth" sqltypes:sqlSortId="52"><xsd:maxLength value="50"/></xsd:restriction></xsd:simpleType></xsd:attribute></xsd:complexType></xsd:element></xsd:schema><row xmlns="urn:example.com" ProductModelID="122" Name="All-Purpose Bike Stand"/>
--! rows
--! <r><xsd:schema targetNamespace="urn:schemas-microsoft-com:sql:SqlRowSet1" xmlns:schema="urn:schemas-microsoft-com:sql:SqlRowSet1" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:sqltypes="http://schemas.microsoft.com/sqlserver/2004/sqltypes" elementFormDefault="qualified"><xsd:import namespace="http://schemas.microsoft.com/sqlserver/2004/sqltypes" schemaLocation="http://schemas.microsoft.com/sqlserver/2004/sqltypes/sqltypes.xsd"/><xsd:element name="ProductModel"><xsd:complexType><xsd:attribute name="ProductModelID" type="sqltypes:int" use="required"/><xsd:attribute name="Name" use="required"><xsd:simpleType><xsd:restriction base="sqltypes:nvarchar" sqltypes:localeId="1033" sqltypes:sqlCompareOptions="IgnoreCase IgnoreKanaType IgnoreWidth" sqltypes:sqlSortId="52"><xsd:maxLength value="50"/></xsd:restriction></xsd:simpleType></xsd:attribute></xsd:complexType></xsd:element></xsd:schema><ProductModel xmlns="urn:schemas-microsoft-com:sql:SqlRowSet1" ProductModelID="122" Name="All-Purpose Bike Stand"/></r>
--! rows
--! <xsd:schema targetNamespace="urn:schemas-microsoft-com:sql:SqlRowSet2" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:sqltypes="http://schemas.microsoft.com/sqlserver/2004/sqltypes" elementFormDefault="qualified"><xsd:import namespace="http://schemas.microsoft.com/sqlserver/2004/sqltypes" schemaLocation="http://schemas.microsoft.com/sqlserver/2004/sqltypes/sqltypes.xsd"/><xsd:element name="row"><xsd:complexType><xsd:sequence><xsd:element name="ProductID" type="sqltypes:int"/><xsd:element name="Price" type="sqltypes:money" minOccurs="0" maxOccurs="2"/></xsd:sequence></xsd:complexType></xsd:element></xsd:schema><row xmlns="urn:schemas-microsoft-com:sql:SqlRowSet2"><ProductID>1</ProductID><Price>1.2500</Price></row>
--! rows
--! <xsd:schema targetNamespace="urn:schemas-microsoft-com:sql:SqlRowSet3" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:sqltypes="http://schemas.microsoft.com/sqlserver/2004/sqltypes" elementFormDefault="qualified"><xsd:import namespace="http://schemas.microsoft.com/sqlserver/2004/sqltypes" schemaLocation="http://schemas.microsoft.com/sqlserver/2004/sqltypes/sqltypes.xsd"/><xsd:element name="row"><xsd:complexType><xsd:sequence><xsd:element name="ProductID" type="sqltypes:int" nillable="1"/><xsd:element name="Price" type="sqltypes:money" nillable="1"/><xsd:element name="Price" type="sqltypes:money" nillable="1"/></xsd:sequence></xsd:complexType></xsd:element></xsd:schema><row xmlns="urn:schemas-microsoft-com:sql:SqlRowSet3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><ProductID>1</ProductID><Price>1.2500</Price><Price xsi:nil="true"/></row>
--! rows
--! <xsd:schema targetNamespace="u" xmlns:schema="u" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:sqltypes="http://schemas.microsoft.com/sqlserver/2004/sqltypes" elementFormDefault="qualified"><xsd:import namespace="http://schemas.microsoft.com/sqlserver/2004/sqltypes" schemaLocation="http://schemas.microsoft.com/sqlserver/2004/sqltypes/sqltypes.xsd"/><xsd:element name="H"><xsd:complexType><xsd:sequence><xsd:element name="id" type="sqltypes:int"/><xsd:element ref="schema:D" minOccurs="0" maxOccurs="unbounded"/></xsd:sequence></xsd:complexType></xsd:element><xsd:element name="D"><xsd:complexType><xsd:sequence><xsd:element name="qty" type="sqltypes:smallint" minOccurs="0"/><xsd:element name="x" minOccurs="0"><xsd:complexType mixed="true"><xsd:sequence><xsd:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xsd:sequence></xsd:complexType></xsd:element><xsd:element name="d" minOccurs="0"><xsd:simpleType><xsd:restriction base="sqltypes:decimal"><xsd:totalDigits value="9"/><xsd:fractionDigits value="2"/></xsd:restriction></xsd:simpleType></xsd:element><xsd:element name="b" minOccurs="0"><xsd:simpleType><xsd:restriction base="sqltypes:varbinary"><xsd:maxLength value="5"/></xsd:restriction></xsd:simpleType></xsd:element></xsd:sequence></xsd:complexType></xsd:element></xsd:schema><H xmlns="u"><id>1</id><D/></H>
SELECT 1 AS a FOR XML RAW, XMLSCHEMA ('');
GO
--! error 6862
SELECT 1 AS a FOR XML RAW, XMLSCHEMA ('http://www.w3.org/2001/XMLSchema');
GO
--! error 6866
SELECT 1 AS [p:a] FOR XML RAW, XMLSCHEMA;
GO
--! error 6840
SELECT ProductID AS a, ListPrice AS a FROM T FOR XML RAW, ELEMENTS, XMLSCHEMA;
GO
--! error 6844
SELECT ListPrice AS a, 1 AS b, DealerPrice AS a FROM T FOR XML RAW, ELEMENTS, XMLSCHEMA;
GO
--! error 6845
SELECT CAST(1 AS sql_variant) AS a FOR XML RAW, XMLSCHEMA;
GO
--! error 6847
