-- CREATE, ALTER, DROP of message types and contracts.
CREATE DATABASE Types;
GO
USE Types;
CREATE MESSAGE TYPE Plain;
CREATE MESSAGE TYPE [//x.com/Any] VALIDATION = NONE;
CREATE MESSAGE TYPE Nothing AUTHORIZATION dbo VALIDATION = EMPTY;
CREATE MESSAGE TYPE Doc VALIDATION = WELL_FORMED_XML;
GO
SELECT name, validation, validation_desc, principal_id, xml_collection_id FROM sys.service_message_types
WHERE message_type_id >= 65536 ORDER BY name;
GO
--! rows
--! //x.com/Any | N  | BINARY | 1 | NULL
--! Doc | X  | XML | 1 | NULL
--! Nothing | E  | EMPTY | 1 | NULL
--! Plain | N  | BINARY | 1 | NULL
-- ALTER changes the validation only.
ALTER MESSAGE TYPE Plain VALIDATION = WELL_FORMED_XML;
SELECT validation FROM sys.service_message_types WHERE name = 'Plain';
GO
--! rows
--! X 
CREATE MESSAGE TYPE Plain;
GO
--! error 2714 severity 16
-- Names compare byte by byte (1.2): another case is another name.
CREATE MESSAGE TYPE PLAIN;
DROP MESSAGE TYPE PLAIN;
GO
DROP MESSAGE TYPE NoSuch;
GO
--! error 15151 severity 16
ALTER MESSAGE TYPE NoSuch VALIDATION = NONE;
GO
--! error 15151
CREATE MESSAGE TYPE Odd VALIDATION = VALID_XML WITH SCHEMA COLLECTION NoSuchCollection;
GO
--! error 15151
-- System objects cannot be altered or dropped (1.3).
ALTER MESSAGE TYPE [DEFAULT] VALIDATION = EMPTY;
GO
--! error 9663
DROP MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/Error];
GO
--! error 3708
DROP CONTRACT [DEFAULT];
GO
--! error 3708
-- Contracts.
CREATE CONTRACT C1 (Plain SENT BY INITIATOR, Doc SENT BY TARGET, Nothing SENT BY ANY, [DEFAULT] SENT BY ANY);
GO
SELECT m.name, u.is_sent_by_initiator, u.is_sent_by_target
FROM sys.service_contract_message_usages u
JOIN sys.service_contracts c ON c.service_contract_id = u.service_contract_id
JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id
WHERE c.name = 'C1' ORDER BY m.name;
GO
--! rows
--! DEFAULT | 1 | 1
--! Doc | 0 | 1
--! Nothing | 1 | 1
--! Plain | 1 | 0
CREATE CONTRACT OnlyTarget (Doc SENT BY TARGET);
GO
--! error 8492
CREATE CONTRACT Twice (Plain SENT BY INITIATOR, Plain SENT BY TARGET);
GO
--! error 8403
CREATE CONTRACT Unknown (NoSuch SENT BY INITIATOR);
GO
--! error 15151
CREATE CONTRACT C1 (Plain SENT BY INITIATOR);
GO
--! error 2714
DROP CONTRACT NoSuch;
GO
--! error 15151
-- What is in use stays: type by contract, contract by service and by priority (3716).
DROP MESSAGE TYPE Plain;
GO
--! error 3716 severity 16
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q (C1);
GO
DROP CONTRACT C1;
GO
--! error 3716
DROP SERVICE S;
CREATE BROKER PRIORITY P FOR CONVERSATION SET (CONTRACT_NAME = C1);
GO
DROP CONTRACT C1;
GO
--! error 3716
DROP BROKER PRIORITY P;
DROP CONTRACT C1;
DROP MESSAGE TYPE Plain;
SELECT COUNT(*) FROM sys.service_contracts WHERE name = 'C1';
GO
--! rows
--! 0
-- DDL on broker objects rolls back (2.0).
BEGIN TRANSACTION;
CREATE MESSAGE TYPE Temp1;
CREATE CONTRACT Temp2 (Temp1 SENT BY ANY);
CREATE QUEUE Temp3;
CREATE SERVICE Temp4 ON QUEUE Temp3 (Temp2);
CREATE ROUTE Temp5 WITH ADDRESS = 'LOCAL';
ALTER MESSAGE TYPE Doc VALIDATION = EMPTY;
DROP MESSAGE TYPE Nothing;
ROLLBACK;
SELECT name, validation FROM sys.service_message_types WHERE name IN ('Temp1', 'Doc', 'Nothing') ORDER BY name;
SELECT (SELECT COUNT(*) FROM sys.service_contracts WHERE name = 'Temp2') + (SELECT COUNT(*) FROM sys.services WHERE name = 'Temp4')
     + (SELECT COUNT(*) FROM sys.service_queues WHERE name = 'Temp3') + (SELECT COUNT(*) FROM sys.routes WHERE name = 'Temp5');
GO
--! rows
--! Doc | X 
--! Nothing | E 
--! rows
--! 0
-- The schema collection of a type (2.1, 10.14): used by the type, so it stays.
CREATE XML SCHEMA COLLECTION Shape AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a" type="xsd:int"/></xsd:schema>';
GO
CREATE MESSAGE TYPE Shaped VALIDATION = VALID_XML WITH SCHEMA COLLECTION dbo.Shape;
SELECT m.name, m.validation_desc, CASE WHEN u.xml_collection_id = m.xml_collection_id THEN 'same' END
FROM sys.message_type_xml_schema_collection_usages u JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id;
GO
--! rows
--! Shaped | XML | same
DROP XML SCHEMA COLLECTION Shape;
GO
--! error 6328
