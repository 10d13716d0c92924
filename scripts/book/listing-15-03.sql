-- Listing 15-3: message types whose bodies are checked against an XML schema, and what happens to a body that fails.
-- Corrected: the second CREATE XML SCHEMA COLLECTION had lost its name, its AS and the opening tag of the schema;
-- BuySell was declared a date (it holds B or S); neither schema declared an element, so no document could be valid:
-- both now declare one root element. elementFormDefault puts the inner elements into the namespace of the schema.

:r common/databases.sql

USE Trader1;
GO
CREATE XML SCHEMA COLLECTION TradeEntrySchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
              xmlns:t="http://www.develop.com/DMBrokerage/schemas/tradeEntry"
              targetNamespace="http://www.develop.com/DMBrokerage/schemas/tradeEntry"
              elementFormDefault="qualified">
    <xsd:element name="tradeEntry" type="t:tradeEntry"/>
    <xsd:complexType name="tradeEntry">
      <xsd:sequence>
        <xsd:element name="RICCODE" type="xsd:string"/>
        <xsd:element name="CustomerID" type="xsd:int"/>
        <xsd:element name="OrderID" type="xsd:int"/>
        <xsd:element name="Date" type="xsd:date"/>
        <xsd:element name="BuySell" type="xsd:string"/>
        <xsd:element name="Volume" type="xsd:int"/>
        <xsd:element name="Price" type="xsd:decimal"/>
      </xsd:sequence>
    </xsd:complexType>
  </xsd:schema>';
CREATE XML SCHEMA COLLECTION TradeAckSchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
              xmlns:a="http://www.develop.com/DMBrokerage/schemas/tradeAck"
              targetNamespace="http://www.develop.com/DMBrokerage/schemas/tradeAck"
              elementFormDefault="qualified">
    <xsd:element name="tradeAck" type="a:tradeAck"/>
    <xsd:complexType name="tradeAck">
      <xsd:sequence>
        <xsd:element name="OrderID" type="xsd:int"/>
        <xsd:element name="AckId" type="xsd:int"/>
      </xsd:sequence>
    </xsd:complexType>
  </xsd:schema>';
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry]
    VALIDATION = VALID_XML WITH SCHEMA COLLECTION TradeEntrySchema;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck]
    VALIDATION = VALID_XML WITH SCHEMA COLLECTION TradeAckSchema;
GO

-- The same again in the brokerage's database, where trade entries are checked on arrival.
USE DMBrokerage;
GO
CREATE XML SCHEMA COLLECTION TradeEntrySchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
              xmlns:t="http://www.develop.com/DMBrokerage/schemas/tradeEntry"
              targetNamespace="http://www.develop.com/DMBrokerage/schemas/tradeEntry"
              elementFormDefault="qualified">
    <xsd:element name="tradeEntry" type="t:tradeEntry"/>
    <xsd:complexType name="tradeEntry">
      <xsd:sequence>
        <xsd:element name="RICCODE" type="xsd:string"/>
        <xsd:element name="CustomerID" type="xsd:int"/>
        <xsd:element name="OrderID" type="xsd:int"/>
        <xsd:element name="Date" type="xsd:date"/>
        <xsd:element name="BuySell" type="xsd:string"/>
        <xsd:element name="Volume" type="xsd:int"/>
        <xsd:element name="Price" type="xsd:decimal"/>
      </xsd:sequence>
    </xsd:complexType>
  </xsd:schema>';
CREATE XML SCHEMA COLLECTION TradeAckSchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
              xmlns:a="http://www.develop.com/DMBrokerage/schemas/tradeAck"
              targetNamespace="http://www.develop.com/DMBrokerage/schemas/tradeAck"
              elementFormDefault="qualified">
    <xsd:element name="tradeAck" type="a:tradeAck"/>
    <xsd:complexType name="tradeAck">
      <xsd:sequence>
        <xsd:element name="OrderID" type="xsd:int"/>
        <xsd:element name="AckId" type="xsd:int"/>
      </xsd:sequence>
    </xsd:complexType>
  </xsd:schema>';
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry]
    VALIDATION = VALID_XML WITH SCHEMA COLLECTION TradeEntrySchema;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck]
    VALIDATION = VALID_XML WITH SCHEMA COLLECTION TradeAckSchema;
GO

SELECT t.name, RTRIM(t.validation) AS validation, c.name AS schema_collection
FROM sys.service_message_types AS t
JOIN sys.message_type_xml_schema_collection_usages AS u ON u.message_type_id = t.message_type_id
JOIN sys.xml_schema_collections AS c ON c.xml_collection_id = u.xml_collection_id
ORDER BY t.name;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeAck | X | TradeAckSchema
--! //www.develop.com/DMBrokerage/TradeEntry | X | TradeEntrySchema

-- Beyond the listing: try the check out. Contract, queues and services are those of the later listings.
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET
);
GO
USE Trader1;
GO
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET
);
GO
:r common/queues-and-services.sql

USE Trader1;
GO
DECLARE @good uniqueidentifier, @bad uniqueidentifier;

BEGIN DIALOG CONVERSATION @good
    FROM SERVICE enterTrade
    TO SERVICE N'//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
SEND ON CONVERSATION @good MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry]
(N'<tradeEntry xmlns="http://www.develop.com/DMBrokerage/schemas/tradeEntry"><RICCODE>IBM.N</RICCODE><CustomerID>7</CustomerID><OrderID>1</OrderID><Date>2004-05-21Z</Date><BuySell>B</BuySell><Volume>100</Volume><Price>88.10</Price></tradeEntry>');

-- Well-formed, but the volume is no number and the price is missing.
BEGIN DIALOG CONVERSATION @bad
    FROM SERVICE enterTrade
    TO SERVICE N'//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
SEND ON CONVERSATION @bad MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry]
(N'<tradeEntry xmlns="http://www.develop.com/DMBrokerage/schemas/tradeEntry"><RICCODE>IBM.N</RICCODE><CustomerID>7</CustomerID><OrderID>2</OrderID><Date>2004-05-21Z</Date><BuySell>B</BuySell><Volume>many</Volume></tradeEntry>');
GO
WAITFOR DELAY '00:00:01';
GO

-- Only the good entry is in the brokerage's queue.
WITH XMLNAMESPACES (DEFAULT 'http://www.develop.com/DMBrokerage/schemas/tradeEntry')
SELECT CAST(message_body AS xml).value('(/tradeEntry/OrderID)[1]', 'int') AS order_id
FROM DMBrokerage.dbo.tradeEntryQueue
WHERE message_type_name = N'//www.develop.com/DMBrokerage/TradeEntry';
GO
--! rows
--! 1

-- The sender of the bad one gets an error message. Error codes from the broker are negative: 9615 is the number of
-- the server message for a body that the target could not validate.
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT message_type_name, CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') AS code
FROM Trader1.dbo.tradeAckQueue;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | -9615

-- Its conversation is in state error until this side ends it too; the good one goes on.
SELECT RTRIM(state) AS state, state_desc FROM Trader1.sys.conversation_endpoints ORDER BY state;
GO
--! rows
--! CO | CONVERSING
--! ER | ERROR
