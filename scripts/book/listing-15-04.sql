-- Listing 15-4: the syntax of ALTER MESSAGE TYPE, with every kind of validation.
-- The listing's text did not survive in our source. Corrected: the text lets ALTER change the owner as well;
-- in the released product that is ALTER AUTHORIZATION.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE USER clerk WITHOUT LOGIN;
CREATE XML SCHEMA COLLECTION PingSchema AS
N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="ping" type="xsd:int"/></xsd:schema>';
CREATE MESSAGE TYPE [//www.develop.com/orders/Ping] VALIDATION = NONE;
GO

ALTER MESSAGE TYPE [//www.develop.com/orders/Ping] VALIDATION = EMPTY;
SELECT RTRIM(validation) AS validation FROM sys.service_message_types WHERE name = N'//www.develop.com/orders/Ping';
GO
--! rows
--! E

ALTER MESSAGE TYPE [//www.develop.com/orders/Ping] VALIDATION = WELL_FORMED_XML;
SELECT RTRIM(validation) AS validation FROM sys.service_message_types WHERE name = N'//www.develop.com/orders/Ping';
GO
--! rows
--! X

ALTER MESSAGE TYPE [//www.develop.com/orders/Ping] VALIDATION = VALID_XML WITH SCHEMA COLLECTION PingSchema;
SELECT RTRIM(t.validation) AS validation, c.name
FROM sys.service_message_types AS t
JOIN sys.xml_schema_collections AS c ON c.xml_collection_id = t.xml_collection_id
WHERE t.name = N'//www.develop.com/orders/Ping';
GO
--! rows
--! X | PingSchema

ALTER MESSAGE TYPE [//www.develop.com/orders/Ping] VALIDATION = NONE;
ALTER AUTHORIZATION ON MESSAGE TYPE::[//www.develop.com/orders/Ping] TO clerk;
SELECT RTRIM(validation) AS validation, USER_NAME(principal_id) AS owner
FROM sys.service_message_types
WHERE name = N'//www.develop.com/orders/Ping';
GO
--! rows
--! N | clerk

-- The types that come with the database stay as they are.
ALTER MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog] VALIDATION = NONE;
GO
--! error 9663
