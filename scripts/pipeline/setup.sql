-- The trade pipeline's two databases. The desk sends trade entries, a dialog for each account, and settles the answers in activated
-- procedures. The brokerage's queue is read by a Spark stream (queries.py), which answers each entry.

CREATE DATABASE Desk;
GO
CREATE DATABASE Brokerage;
GO
-- Messages go from one database to the other under the identity of the sender's owner, in both directions.
ALTER DATABASE Desk SET TRUSTWORTHY ON;
ALTER DATABASE Brokerage SET TRUSTWORTHY ON;
GO

-- An entry is not validated by the broker: what it refuses ends the whole dialog, and here many entries share one. The stream
-- validates them, by the schema collection below, and answers each by itself.
USE Desk;
GO
CREATE MESSAGE TYPE [//trades/Entry] VALIDATION = NONE;
CREATE MESSAGE TYPE [//trades/Ack] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//trades/Refusal] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//trades/EnterTrades]
    ([//trades/Entry] SENT BY INITIATOR, [//trades/Ack] SENT BY TARGET, [//trades/Refusal] SENT BY TARGET);

-- An answer names its entry by the number of the entry's message in its conversation: a broken one has no order number.
CREATE TABLE dbo.settlements
(
    handle uniqueidentifier NOT NULL,
    number bigint NOT NULL,
    order_id int NULL,
    symbol nvarchar(20) NULL,
    side nchar(1) NULL,
    volume int NULL,
    price decimal(12, 2) NULL,
    code int NULL,
    reason nvarchar(400) NULL,
    CONSTRAINT one_answer_per_entry PRIMARY KEY (handle, number)
);
GO
:r ../activated/pipeline_settleProc.sql

CREATE QUEUE dbo.answerQueue
    WITH STATUS = ON,
    ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.settleProc,
        MAX_QUEUE_READERS = 2,
        EXECUTE AS SELF);
CREATE SERVICE [//trades/Desk] ON QUEUE dbo.answerQueue;
GO

USE Brokerage;
GO
CREATE MESSAGE TYPE [//trades/Entry] VALIDATION = NONE;
CREATE MESSAGE TYPE [//trades/Ack] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//trades/Refusal] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//trades/EnterTrades]
    ([//trades/Entry] SENT BY INITIATOR, [//trades/Ack] SENT BY TARGET, [//trades/Refusal] SENT BY TARGET);
CREATE QUEUE dbo.entryQueue;
CREATE SERVICE [//trades/Brokerage] ON QUEUE dbo.entryQueue ([//trades/EnterTrades]);

CREATE TABLE dbo.instruments (RICCODE nvarchar(20) PRIMARY KEY);
INSERT INTO dbo.instruments (RICCODE) VALUES
    (N'AA.N'), (N'AXP.N'), (N'BA.N'), (N'CAT.N'), (N'CSCO.O'), (N'DIS.N'), (N'GE.N'), (N'IBM.N'), (N'INTC.O'), (N'JPM.N'), (N'KO.N'),
    (N'MCD.N'), (N'MSFT.O'), (N'ORCL.O'), (N'WMT.N'), (N'XOM.N');

CREATE XML SCHEMA COLLECTION dbo.TradeEntries AS N'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="TradeEntry">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="RICCODE" type="xs:string"/>
        <xs:element name="CustomerID" type="xs:string"/>
        <xs:element name="OrderID" type="xs:int"/>
        <xs:element name="BuySell">
          <xs:simpleType>
            <xs:restriction base="xs:string"><xs:enumeration value="B"/><xs:enumeration value="S"/></xs:restriction>
          </xs:simpleType>
        </xs:element>
        <xs:element name="Volume">
          <xs:simpleType><xs:restriction base="xs:int"><xs:minExclusive value="0"/></xs:restriction></xs:simpleType>
        </xs:element>
        <xs:element name="Price">
          <xs:simpleType>
            <xs:restriction base="xs:decimal"><xs:totalDigits value="12"/><xs:fractionDigits value="2"/></xs:restriction>
          </xs:simpleType>
        </xs:element>
        <xs:element name="TradedAt" type="xs:dateTime"/>
      </xs:sequence>
    </xs:complexType>
  </xs:element>
</xs:schema>';
GO
