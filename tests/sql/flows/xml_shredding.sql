-- Orders as xml documents with namespaces: built by nested FOR XML, checked by a schema collection, shredded with nodes() into two
-- tables, answered with counts; errors of the schema come back to the sender as Error messages.
CREATE DATABASE Shredder;
GO
USE Shredder;
GO
CREATE XML SCHEMA COLLECTION OrderSchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:o="http://shred/order" targetNamespace="http://shred/order" elementFormDefault="qualified">
    <xsd:element name="Order">
        <xsd:complexType>
            <xsd:sequence>
                <xsd:element name="Customer" type="xsd:string"/>
                <xsd:element name="Line" maxOccurs="unbounded">
                    <xsd:complexType>
                        <xsd:attribute name="Sku" type="xsd:string" use="required"/>
                        <xsd:attribute name="Qty" type="xsd:positiveInteger" use="required"/>
                        <xsd:attribute name="Price" type="xsd:decimal"/>
                    </xsd:complexType>
                </xsd:element>
            </xsd:sequence>
            <xsd:attribute name="Id" type="xsd:int" use="required"/>
        </xsd:complexType>
    </xsd:element>
</xsd:schema>';
GO
CREATE MESSAGE TYPE [http://shred/order] VALIDATION = VALID_XML WITH SCHEMA COLLECTION OrderSchema;
CREATE MESSAGE TYPE [http://shred/receipt] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [http://shred/contract] ([http://shred/order] SENT BY INITIATOR, [http://shred/receipt] SENT BY TARGET);
CREATE QUEUE ShopQ; CREATE QUEUE DepotQ;
CREATE SERVICE [http://shred/shop] ON QUEUE ShopQ;
CREATE SERVICE [http://shred/depot] ON QUEUE DepotQ ([http://shred/contract]);
GO
CREATE TABLE Orders (OrderId int PRIMARY KEY, Customer nvarchar(40));
CREATE TABLE OrderLines (OrderId int REFERENCES Orders, Sku varchar(10), Qty int, Price decimal(9, 2), PRIMARY KEY (OrderId, Sku));
CREATE TABLE Basket (Sku varchar(10), Qty int, Price decimal(9, 2));
INSERT Basket VALUES ('A', 2, 9.5), ('B', 1, NULL), ('C', 7, 0.25);
GO
CREATE PROCEDURE PlaceOrder @id int, @customer nvarchar(40), @wrong bit = 0
AS
DECLARE @h uniqueidentifier, @x xml;
WITH XMLNAMESPACES (DEFAULT 'http://shred/order')
SELECT @x = (SELECT @id AS [@Id], @customer AS Customer,
        (SELECT Sku AS [@Sku], CASE @wrong WHEN 1 THEN -Qty ELSE Qty END AS [@Qty], Price AS [@Price] FROM Basket ORDER BY Sku FOR XML PATH('Line'), TYPE)
    FOR XML PATH('Order'), TYPE);
BEGIN DIALOG @h FROM SERVICE [http://shred/shop] TO SERVICE 'http://shred/depot' ON CONTRACT [http://shred/contract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [http://shred/order] (@x);
GO
CREATE PROCEDURE ProcessOrders
AS
SET NOCOUNT ON;
DECLARE @h uniqueidentifier, @t sysname, @x xml, @id int, @lines int, @total decimal(9, 2), @answer xml;
WHILE 1 = 1
BEGIN
    BEGIN TRANSACTION;
    SET @h = NULL;
    WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @t = message_type_name, @x = CAST(message_body AS xml) FROM DepotQ), TIMEOUT 100;
    IF @h IS NULL BEGIN COMMIT; BREAK; END;
    IF @t = 'http://shred/order'
    BEGIN
        WITH XMLNAMESPACES ('http://shred/order' AS o)
        INSERT Orders SELECT d.c.value('@Id', 'int'), d.c.value('(o:Customer/text())[1]', 'nvarchar(40)') FROM @x.nodes('/o:Order') d(c);
        SET @id = @x.value('declare default element namespace "http://shred/order"; (/Order/@Id)[1]', 'int');
        WITH XMLNAMESPACES (DEFAULT 'http://shred/order')
        INSERT INTO OrderLines (OrderId, Sku, Qty, Price)
        SELECT o.n.value('@Id', 'int'), l.n.value('@Sku', 'varchar(10)'), l.n.value('@Qty', 'int'), l.n.value('@Price', 'decimal(9,2)')
        FROM @x.nodes('/Order') AS o(n) CROSS APPLY o.n.nodes('Line') AS l(n);
        SELECT @lines = COUNT(*), @total = SUM(Qty * Price) FROM OrderLines WHERE OrderId = @id;
        SET @answer = (SELECT @id AS id, @lines AS lines, @total AS total FOR XML RAW('receipt'), TYPE);
        SEND ON CONVERSATION @h MESSAGE TYPE [http://shred/receipt] (@answer);
    END
    END CONVERSATION @h;
    COMMIT;
END;
GO
EXEC PlaceOrder 1, N'Ada & Bob'; EXEC PlaceOrder 2, N'Cy', 1; EXEC PlaceOrder @id = 3, @customer = N'<Di>';
EXEC ProcessOrders;
SELECT o.OrderId, o.Customer, l.Sku, l.Qty, l.Price FROM Orders o JOIN OrderLines l ON l.OrderId = o.OrderId ORDER BY 1, 3;
GO
--! rows
--! 1 | Ada & Bob | A | 2 | 9.50
--! 1 | Ada & Bob | B | 1 | NULL
--! 1 | Ada & Bob | C | 7 | .25
--! 3 | <Di> | A | 2 | 9.50
--! 3 | <Di> | B | 1 | NULL
--! 3 | <Di> | C | 7 | .25
DECLARE @m TABLE (n int IDENTITY, h uniqueidentifier, t nvarchar(256), x xml);
DECLARE @h uniqueidentifier, @t nvarchar(256), @x xml;
WHILE 1 = 1
BEGIN
    SET @t = NULL;
    RECEIVE TOP (1) @h = conversation_handle, @t = message_type_name, @x = message_body FROM ShopQ;
    IF @t IS NULL BREAK;
    INSERT @m (h, t, x) VALUES (@h, @t, @x);
    IF @t LIKE '%ServiceBroker/E%' END CONVERSATION @h;
END;
WITH XMLNAMESPACES ('http://schemas.microsoft.com/SQL/ServiceBroker/Error' AS e)
SELECT t, x.value('(/e:Error/e:Code)[1]', 'int') AS code, x.value('(/receipt/@total)[1]', 'money') AS total FROM @m
WHERE t NOT LIKE '%EndDialog' ORDER BY code, x.value('(/receipt/@id)[1]', 'int');
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1;
GO
--! rows
--! http://shred/receipt | NULL | 20.7500
--! http://shred/receipt | NULL | 20.7500
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | -9615 | NULL
--! rows
--! 0
