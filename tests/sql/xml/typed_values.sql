-- Typed xml keeps canonical values and the defaults of its schemas (the page "Canonical forms and pattern restrictions").
CREATE XML SCHEMA COLLECTION Vals AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <xsd:simpleType name="three"><xsd:restriction base="xsd:decimal"><xsd:pattern value="33\.0+"/></xsd:restriction></xsd:simpleType>
  <xsd:element name="three" type="three"/>
  <xsd:element name="n" type="xsd:decimal"/><xsd:element name="i" type="xsd:int"/><xsd:element name="d" type="xsd:double"/>
  <xsd:element name="b" type="xsd:boolean"/><xsd:element name="h" type="xsd:hexBinary"/><xsd:element name="s" type="xsd:string"/>
  <xsd:element name="t" type="xsd:token"/><xsd:element name="ns" type="xsd:normalizedString"/>
  <xsd:element name="list"><xsd:simpleType><xsd:list itemType="xsd:int"/></xsd:simpleType></xsd:element>
  <xsd:element name="either"><xsd:simpleType><xsd:union memberTypes="xsd:decimal xsd:boolean"/></xsd:simpleType></xsd:element>
  <xsd:element name="base64" type="xsd:base64Binary"/>
  <xsd:element name="any" type="xsd:anyType"/>
  <xsd:element name="o"><xsd:complexType><xsd:sequence><xsd:element name="q" type="xsd:decimal" default="1.50"/><xsd:element ref="i" minOccurs="0"/><xsd:any namespace="##other" processContents="skip" minOccurs="0"/></xsd:sequence>
    <xsd:attribute name="k" type="xsd:boolean" default="1"/><xsd:attribute name="f" type="xsd:string" fixed="x"/><xsd:attribute name="plain" type="xsd:string"/></xsd:complexType></xsd:element>
  <xsd:complexType name="base"><xsd:attribute name="v" type="xsd:int"/></xsd:complexType>
  <xsd:complexType name="more"><xsd:complexContent><xsd:extension base="base"><xsd:attribute name="w" type="xsd:int" default="07"/></xsd:extension></xsd:complexContent></xsd:complexType>
  <xsd:element name="x" type="base" nillable="true"/>
</xsd:schema>';
GO
SELECT CAST(N'<n>33.000</n><n>+0.50</n><n>-0.0</n><n>.5</n><n> 7. </n><n>100</n>' AS xml(Vals));
SELECT CAST(N'<i>007</i><i>+5</i><i> -0 </i>' AS xml(Vals));
SELECT CAST(N'<d>1.34e1</d><d>1e10</d><d>0.0000001</d><d>INF</d><d>-2.50E-3</d>' AS xml(Vals));
SELECT CAST(N'<b>1</b><b> false </b><h>0aff</h><base64>QU JD</base64>' AS xml(Vals));
SELECT CAST(N'<s> a  b </s><t> a  b </t><list> 01  2
3</list><either>1.0</either><either>true</either>' AS xml(Vals));
GO
--! rows
--! <n>33</n><n>0.5</n><n>0</n><n>0.5</n><n>7</n><n>100</n>
--! rows
--! <i>7</i><i>5</i><i>0</i>
--! rows
--! <d>13.4</d><d>1.0E10</d><d>1.0E-7</d><d>INF</d><d>-0.0025</d>
--! rows
--! <b>true</b><b>false</b><h>0AFF</h><base64>QUJD</base64>
--! rows
--! <s> a  b </s><t>a b</t><list>1 2 3</list><either>1</either><either>true</either>
-- Defaults of attributes and of empty elements.
SELECT CAST(N'<o><q/><i>01</i></o>' AS xml(Vals));
SELECT CAST(N'<o k="0" plain=" p "><q>2.0</q><i>5</i><z:z xmlns:z="urn:z" a="01">1.0</z:z></o>' AS xml(Vals));
SELECT CAST(N'<x v="01"/><x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="more" v="1"/>' AS xml(Vals));
SELECT CAST(N'<x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" v="01"/>' AS xml(Vals));
SELECT CAST(N'<any><i>01</i><!-- c --></any>' AS xml(Vals));
GO
--! rows
--! <o k="true" f="x"><q>1.5</q><i>1</i></o>
--! rows
--! <o k="false" plain=" p " f="x"><q>2</q><i>5</i><z:z xmlns:z="urn:z" a="01">1.0</z:z></o>
--! rows
--! <x v="1"/><x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="more" v="1" w="7"/>
--! rows
--! <x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" v="1"/>
--! rows
--! <any><i>1</i><!-- c --></any>
-- A canonical form that the pattern does not know.
SELECT CAST(N'<three>33.0</three>' AS xml(Vals));
GO
--! error 6937
-- modify() brings values into form, too.
DECLARE @x xml(Vals) = N'<o><q>1</q></o>';
SET @x.modify('insert <i>009</i> into (/o)[1]');
SELECT @x;
GO
--! rows
--! <o k="true" f="x"><q>1</q><i>9</i></o>
-- Attributes with a namespace get a prefix.
CREATE XML SCHEMA COLLECTION Qualified AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:q" attributeFormDefault="qualified"><xsd:element name="r"><xsd:complexType><xsd:attribute name="k" type="xsd:int" default="5"/></xsd:complexType></xsd:element></xsd:schema>';
GO
SELECT CAST(N'<r xmlns="urn:q"/>' AS xml(Qualified)), CAST(N'<a:r xmlns:a="urn:q"/>' AS xml(Qualified));
GO
--! rows
--! <r xmlns="urn:q" xmlns:p1="urn:q" p1:k="5"/> | <a:r xmlns:a="urn:q" a:k="5"/>
-- What schemas may not hold (the page "Requirements and limitations for XML schema collections on the server").
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:include schemaLocation="a.xsd"/></xsd:schema>';
GO
--! error 9336 text include
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:redefine schemaLocation="a.xsd"/></xsd:schema>';
GO
--! error 2391
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a"><xsd:complexType/><xsd:key name="k"><xsd:selector xpath="b"/><xsd:field xpath="c"/></xsd:key></xsd:element></xsd:schema>';
GO
--! error 9336 text key
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a"><xsd:complexType><xsd:choice/></xsd:complexType></xsd:element></xsd:schema>';
GO
--! error 2293
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a" type="xsd:int"/><xsd:element name="a" type="xsd:int"/></xsd:schema>';
GO
--! error 2302 text a
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a" type="nope"/></xsd:schema>';
GO
--! error 2308 text nope
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a" type="xsd:nope"/></xsd:schema>';
GO
--! error 2307 text nope
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a">';
GO
--! error 9400
CREATE XML SCHEMA COLLECTION Bad AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:complexType name="tw"><xsd:sequence><xsd:element name="a" minOccurs="0"/><xsd:any/></xsd:sequence></xsd:complexType></xsd:schema>';
GO
--! error 6916 text tw
ALTER XML SCHEMA COLLECTION Vals ADD N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="n" type="xsd:int"/></xsd:schema>';
GO
--! error 6310 text n
-- A new component of a namespace that is there (the page of ALTER XML SCHEMA COLLECTION).
CREATE XML SCHEMA COLLECTION MyColl AS '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://MySchema/test_xml_schema"><element name="root" type="string"/></schema>';
ALTER XML SCHEMA COLLECTION MyColl ADD '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://MySchema/test_xml_schema"><element name="anotherElement" type="byte"/></schema>';
GO
DECLARE @x xml(MyColl) = N'<a:anotherElement xmlns:a="http://MySchema/test_xml_schema"> 7 </a:anotherElement>'; SELECT @x;
GO
--! rows
--! <a:anotherElement xmlns:a="http://MySchema/test_xml_schema">7</a:anotherElement>
