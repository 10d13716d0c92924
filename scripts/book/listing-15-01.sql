-- Listing 15-1: the syntax of CREATE MESSAGE TYPE, every option used once.
-- The listing's text did not survive in our source; the options come from the description below it.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO

-- AUTHORIZATION names a user or a role of the database.
CREATE USER clerk WITHOUT LOGIN;
CREATE ROLE MessageKeepers;
GO

-- Without VALIDATION the type accepts any body at all; NONE says the same in so many words.
CREATE MESSAGE TYPE [//www.develop.com/orders/Anything];
CREATE MESSAGE TYPE [//www.develop.com/orders/Picture] AUTHORIZATION clerk VALIDATION = NONE;

-- EMPTY: the name of the type is the whole message.
CREATE MESSAGE TYPE [//www.develop.com/orders/Wakeup] VALIDATION = EMPTY;

-- The body must parse as XML, whatever its elements are called.
CREATE MESSAGE TYPE [//www.develop.com/orders/OrderEntry]
    AUTHORIZATION MessageKeepers
    VALIDATION = WELL_FORMED_XML;
GO

-- The body must also fit a schema, which has to be registered first.
CREATE XML SCHEMA COLLECTION OrderNoteSchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.develop.com/orders/note">
    <xsd:element name="note" type="xsd:string"/>
  </xsd:schema>';
GO
CREATE MESSAGE TYPE [//www.develop.com/orders/OrderNote]
    AUTHORIZATION dbo
    VALIDATION = VALID_XML WITH SCHEMA COLLECTION dbo.OrderNoteSchema;
GO

-- The catalog has one letter for the kind of check: N none, E empty, X XML (with or without a schema).
-- The description of N reads BINARY on a server.
SELECT t.name, RTRIM(t.validation) AS validation, t.validation_desc, USER_NAME(t.principal_id) AS owner,
       c.name AS schema_collection
FROM sys.service_message_types AS t
LEFT JOIN sys.xml_schema_collections AS c ON c.xml_collection_id = t.xml_collection_id
WHERE t.name LIKE N'//www.develop.com/orders/%'
ORDER BY t.name;
GO
--! rows
--! columns name | validation | validation_desc | owner | schema_collection
--! //www.develop.com/orders/Anything | N | BINARY | dbo | NULL
--! //www.develop.com/orders/OrderEntry | X | XML | MessageKeepers | NULL
--! //www.develop.com/orders/OrderNote | X | XML | dbo | OrderNoteSchema
--! //www.develop.com/orders/Picture | N | BINARY | clerk | NULL
--! //www.develop.com/orders/Wakeup | E | EMPTY | dbo | NULL

-- Three types that every database has from the start and every conversation may receive.
SELECT name, RTRIM(validation) AS validation
FROM sys.service_message_types
WHERE name IN (N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer',
               N'http://schemas.microsoft.com/SQL/ServiceBroker/Error',
               N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog')
ORDER BY name;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer | E
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | E
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | X
