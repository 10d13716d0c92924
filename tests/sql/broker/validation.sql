-- The four validations; a body that does not fit is answered with an Error message.
CREATE DATABASE Valid;
GO
USE Valid;
CREATE XML SCHEMA COLLECTION OrderSchema AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <xsd:element name="order"><xsd:complexType>
    <xsd:attribute name="id" type="xsd:int" use="required"/></xsd:complexType></xsd:element></xsd:schema>';
GO
CREATE MESSAGE TYPE AnyBody VALIDATION = NONE;
CREATE MESSAGE TYPE NoBody VALIDATION = EMPTY;
CREATE MESSAGE TYPE SomeXml VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE OrderXml VALIDATION = VALID_XML WITH SCHEMA COLLECTION OrderSchema;
CREATE CONTRACT C (AnyBody SENT BY ANY, NoBody SENT BY ANY, SomeXml SENT BY ANY, OrderXml SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C);
SELECT name, validation FROM sys.service_message_types WHERE message_type_id >= 65536 ORDER BY name;
GO
--! rows
--! AnyBody | N 
--! NoBody | E 
--! OrderXml | X 
--! SomeXml | X 
CREATE PROCEDURE Try_Send @type sysname, @body nvarchar(max) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h MESSAGE TYPE @type (@body);
    DECLARE @answer xml = (SELECT TOP (1) CAST(message_body AS xml) FROM Q1 WHERE conversation_handle = @h);
    WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
    SELECT @type AS type, @answer.value('(/Error/Code)[1]', 'int') AS code, state
    FROM sys.conversation_endpoints WHERE conversation_handle = @h;
END;
GO
EXEC Try_Send 'AnyBody', N'<anything';
EXEC Try_Send 'NoBody', N'';
EXEC Try_Send 'SomeXml', N'<a><b/></a>';
EXEC Try_Send 'SomeXml', N'<a><b></a>';
EXEC Try_Send 'OrderXml', N'<order id="7"/>';
EXEC Try_Send 'OrderXml', N'<order id="seven"/>';
EXEC Try_Send 'SomeXml', N'';
GO
--! rows
--! AnyBody | NULL | CO
--! rows
--! NoBody | NULL | CO
--! rows
--! SomeXml | NULL | CO
--! rows
--! SomeXml | -9615 | ER
--! rows
--! OrderXml | NULL | CO
--! rows
--! OrderXml | -9615 | ER
--! rows
--! SomeXml | NULL | CO
--! spec SEND-14 SEND-28 BROKERERROR-15
-- Well-formed is what the xml type takes and has an element.
EXEC Try_Send 'SomeXml', N'<a/><b/>';
EXEC Try_Send 'SomeXml', N'<!-- c -->text <a/> more';
EXEC Try_Send 'SomeXml', N'<?xml version="1.0"?><a/>';
EXEC Try_Send 'SomeXml', N'just text';
EXEC Try_Send 'SomeXml', N'<!-- c -->text';
EXEC Try_Send 'SomeXml', N'<!-- <a/> -->';
EXEC Try_Send 'SomeXml', N'<?pi <a/>?>';
EXEC Try_Send 'SomeXml', N'<![CDATA[<a/>]]>';
EXEC Try_Send 'SomeXml', N'a &lt; b';
GO
--! rows
--! SomeXml | NULL | CO
--! rows
--! SomeXml | NULL | CO
--! rows
--! SomeXml | NULL | CO
--! rows
--! SomeXml | -9615 | ER
--! rows
--! SomeXml | -9615 | ER
--! rows
--! SomeXml | -9615 | ER
--! rows
--! SomeXml | -9615 | ER
--! rows
--! SomeXml | -9615 | ER
--! rows
--! SomeXml | -9615 | ER
--! spec TYPE-7
