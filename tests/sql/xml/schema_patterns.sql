-- Patterns of a schema collection: alternatives, several patterns of one type, classes with subtraction; and one that a backtracking matcher never ends on.
CREATE XML SCHEMA COLLECTION dbo.Codes AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="c"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="[A-Z-[IO]]{2}\d{3}"/><xs:pattern value="x|y*"/></xs:restriction></xs:simpleType></xs:element>
<xs:element name="slow"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="(a*)*b"/></xs:restriction></xs:simpleType></xs:element>
<xs:element name="n"><xs:complexType><xs:attribute name="k"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="(k|kk)+"/></xs:restriction></xs:simpleType></xs:attribute></xs:complexType></xs:element>
</xs:schema>';
GO
DECLARE @x xml(dbo.Codes) = N'<c>AB123</c>';
SET @x = N'<c>x</c>';
SET @x = N'<c>yyy</c>';
SET @x = N'<slow>aaab</slow>';
SET @x = N'<n k="kkkkk"/>';
SELECT @x;
GO
--! rows
--! <n k="kkkkk"/>
DECLARE @x xml(dbo.Codes) = N'<c>AI123</c>';
GO
--! error 6926
DECLARE @x xml(dbo.Codes) = CAST(N'<slow>' + REPLICATE(N'a', 3000) + N'</slow>' AS xml);
GO
--! error 6926
DECLARE @x xml(dbo.Codes) = CAST(N'<n k="' + REPLICATE(N'k', 3000) + N'x"/>' AS xml);
GO
--! error 6926
CREATE XML SCHEMA COLLECTION dbo.Large AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="c"><xs:simpleType><xs:restriction base="xs:string">
<xs:pattern value="((a{100}){100}){100}"/></xs:restriction></xs:simpleType></xs:element></xs:schema>';
GO
--! error 2378
