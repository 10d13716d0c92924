-- A schema collection's text is XML: its documents are the schema elements at its top, whatever comments, CDATA and attributes hold.
CREATE XML SCHEMA COLLECTION dbo.Old AS N'<?xml version="1.0"?><!-- before: <xs:schema/> --><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><!-- </xs:schema> --><xs:element name="a" type="xs:int"/></xs:schema>';
CREATE XML SCHEMA COLLECTION dbo.Told AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" version="<">
  <xs:element name="a" type="xs:int"/></xs:schema>';
GO
--! error 9415
CREATE XML SCHEMA COLLECTION dbo.Told AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:annotation><xs:documentation><![CDATA[</xs:schema>]]></xs:documentation></xs:annotation><xs:element name="a" type="xs:int"/></xs:schema>
<?next one?>
<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:b"><element name="b" type="int"/></schema>';
GO
SELECT c.name, n.name FROM sys.xml_schema_namespaces n JOIN sys.xml_schema_collections c ON c.xml_collection_id = n.xml_collection_id WHERE c.name <> 'sys' ORDER BY c.name, n.name;
GO
--! rows
--! Old |
--! Told |
--! Told | urn:b
DECLARE @x xml(dbo.Old) = N'<a>1</a>';
GO
DECLARE @x xml(dbo.Old) = N'<a>one</a>';
GO
--! error 6926
DECLARE @x xml(dbo.Told) = N'<a>1</a><b xmlns="urn:b">2</b>';
GO
DECLARE @x xml(dbo.Told) = N'<b xmlns="urn:b">two</b>';
GO
--! error 6926

-- What else stands at the top is no schema document.
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/> and more';
GO
--! error 2378
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/><b/>';
GO
--! error 2378
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'<all><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/></all>';
GO
--! error 2378
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'<xs:schema xmlns:xs="urn:another"/>';
GO
--! error 2378
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'<!-- <xs:schema/> -->';
GO
--! error 2378
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'';
GO
--! error 2378
CREATE XML SCHEMA COLLECTION dbo.Bad AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/><xs:schema';
GO
--! error 9400
SELECT count(*) FROM sys.xml_schema_collections WHERE name = N'Bad';
GO
--! rows
--! 0
