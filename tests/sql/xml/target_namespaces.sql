-- The target namespace of a schema document is that of its root, wherever else such words stand.
CREATE XML SCHEMA COLLECTION dbo.Bare AS N'<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:annotation><x:documentation>targetNamespace="urn:told"</x:documentation></x:annotation><x:element name="e" type="x:string" default="targetNamespace=''urn:default''"/></x:schema>';
CREATE XML SCHEMA COLLECTION dbo.Signs AS N'<schema xmlns="http://www.w3.org/2001/XMLSchema" id="a" targetNamespace = ''urn:a&amp;b"c''><element name="e" type="string"/></schema>';
CREATE XML SCHEMA COLLECTION dbo.Sign AS N'<schema version="1>0" xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:behind"><element name="e" type="string"/></schema>';
GO
SELECT c.name, n.name FROM sys.xml_schema_namespaces n JOIN sys.xml_schema_collections c ON c.xml_collection_id = n.xml_collection_id WHERE c.name <> 'sys' ORDER BY c.name;
SELECT XML_SCHEMA_NAMESPACE(N'dbo', N'Sign', N'urn:behind').exist('*'), XML_SCHEMA_NAMESPACE(N'dbo', N'Signs', N'urn:a&b"c').exist('*');
GO
--! rows
--! Bare | 
--! Sign | urn:behind
--! Signs | urn:a&b"c
--! rows
--! 1 | 1
