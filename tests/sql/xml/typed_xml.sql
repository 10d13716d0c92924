-- xml bound to a schema collection: variables, columns, parameters, casts, modify() (the page "Compare typed XML to untyped XML").
CREATE XML SCHEMA COLLECTION Orders AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:a" elementFormDefault="qualified">
  <xsd:element name="r"><xsd:complexType><xsd:sequence>
      <xsd:element name="q" type="xsd:int"/><xsd:element name="z" type="xsd:date" minOccurs="0" maxOccurs="2"/>
    </xsd:sequence><xsd:attribute name="k" type="xsd:string" use="required"/></xsd:complexType></xsd:element>
</xsd:schema>';
GO
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1"><q>1</q></r><r xmlns="urn:a" k="2"><q>2</q></r>'; SELECT @x;
GO
--! rows
--! <r xmlns="urn:a" k="1"><q>1</q></r><r xmlns="urn:a" k="2"><q>2</q></r>
DECLARE @x xml(DOCUMENT dbo.Orders) = N'<r xmlns="urn:a" k="1"><q>1</q></r><r xmlns="urn:a" k="2"><q>2</q></r>';
GO
--! error 6901
DECLARE @x xml(CONTENT dbo.Orders) = N'<r xmlns="urn:a" k="1"><q>x</q></r>';
GO
--! error 6926 text /*:r[1]/*:q[1]
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1"/>';
GO
--! error 6908 text q
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1"><z>2024-01-01</z></r>';
GO
--! error 6965
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1"><q>1</q><q>2</q></r>';
GO
--! error 6923
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1" l="2"><q>1</q></r>';
GO
--! error 6905 text l
DECLARE @x xml(Orders) = N'<r xmlns="urn:a"><q>1</q></r>';
GO
--! error 6906 text k
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1">text<q>1</q></r>';
GO
--! error 6909
DECLARE @x xml(Orders) = N'<r xmlns="urn:a" k="1"><q><b/></q></r>';
GO
--! error 6912
DECLARE @x xml(Orders) = N'<other/>';
GO
--! error 6913 text other
SELECT CAST(N'<other/>' AS xml(Orders));
GO
--! error 6913
DECLARE @x xml(Nothing);
GO
--! error 6314
CREATE TABLE dbo.T (Id int, X xml(Orders) NULL);
INSERT INTO dbo.T VALUES (1, N'<r xmlns="urn:a" k="1"><q>1</q></r>'), (2, NULL);
GO
INSERT INTO dbo.T VALUES (3, N'<r xmlns="urn:a"/>');
GO
--! error 6906
UPDATE dbo.T SET X.modify('declare default element namespace "urn:a"; insert <y/> into (/r)[1]') WHERE Id = 1;
GO
--! error 6923
-- Elements with simple content can be replaced; value() asks for no singleton that the schema promises.
UPDATE dbo.T SET X.modify('declare default element namespace "urn:a"; replace value of /r/q with 7') WHERE Id = 1;
WITH XMLNAMESPACES (DEFAULT 'urn:a') SELECT X.value('/r/q', 'int') FROM dbo.T WHERE Id = 1;
GO
--! rows
--! 7
CREATE PROCEDURE dbo.Take @x xml(Orders) AS SELECT 'taken' AS r;
GO
EXEC dbo.Take N'<r xmlns="urn:a" k="1"><q>1</q></r>';
EXEC dbo.Take N'<b/>';
GO
--! rows
--! taken
--! error 6913
-- A collection that is used stays; one that grows takes its columns along.
DROP XML SCHEMA COLLECTION Orders;
GO
--! error 6328
ALTER XML SCHEMA COLLECTION Orders ADD N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:b"><xsd:element name="b" type="xsd:int"/></xsd:schema>';
GO
INSERT INTO dbo.T VALUES (3, N'<b xmlns="urn:b">5</b>');
EXEC dbo.Take N'<b xmlns="urn:b">5</b>';
SELECT xml_schema_namespace('dbo', 'Orders', 'urn:b');
SELECT xml_schema_namespace(N'dbo', N'Orders').value('count(/*)', 'int');
GO
--! rows
--! taken
--! rows
--! <xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:b"><xsd:element name="b" type="xsd:int"/></xsd:schema>
--! rows
--! 2
ALTER XML SCHEMA COLLECTION Missing ADD N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"/>';
GO
--! error 6347
CREATE XML SCHEMA COLLECTION Orders AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"/>';
GO
--! error 6348
CREATE XML SCHEMA COLLECTION Other AS NULL;
GO
--! error 6361
CREATE XML SCHEMA COLLECTION Other AS N'<a/>';
GO
--! error 2378
SELECT xml_schema_namespace('dbo', 'Orders', 'urn:none');
GO
--! error 6312
-- After a restart the columns validate as before.
--! restart
INSERT INTO dbo.T VALUES (4, N'<b xmlns="urn:b">six</b>');
GO
--! error 6926
-- What sys.columns says of typed columns.
CREATE TABLE dbo.Shown (A xml(DOCUMENT dbo.Orders), B xml(Orders), C xml, D int);
GO
SELECT c.name, c.is_xml_document, CASE WHEN c.xml_collection_id = x.xml_collection_id THEN x.name END AS collection
FROM sys.columns AS c LEFT JOIN sys.xml_schema_collections AS x ON x.xml_collection_id = c.xml_collection_id AND x.name = 'Orders' WHERE c.object_id = OBJECT_ID('dbo.Shown') ORDER BY c.name;
GO
--! rows
--! A | 1 | Orders
--! B | 0 | Orders
--! C | 0 | NULL
--! D | 0 | NULL
