-- What all classes of broker objects share: where they belong, owners, what keeps them from being dropped, names that are only strings.
CREATE DATABASE Here;
CREATE DATABASE There;
GO
USE Here;
CREATE USER Ann WITHOUT LOGIN;
CREATE ROLE Traders;
EXEC ('CREATE SCHEMA app AUTHORIZATION Ann');
GO
CREATE MESSAGE TYPE M; CREATE CONTRACT C (M SENT BY ANY);
CREATE QUEUE Q; CREATE QUEUE app.Q; CREATE SERVICE S ON QUEUE Q (C);
CREATE ROUTE R WITH SERVICE_NAME = '//nowhere', ADDRESS = 'TCP://far:4022';
CREATE REMOTE SERVICE BINDING B TO SERVICE '//nowhere' WITH USER = Ann;
CREATE BROKER PRIORITY P FOR CONVERSATION SET (CONTRACT_NAME = C, LOCAL_SERVICE_NAME = S, REMOTE_SERVICE_NAME = '//nowhere');
CREATE EVENT NOTIFICATION E ON QUEUE Q FOR QUEUE_ACTIVATION TO SERVICE '//nowhere', 'current database';
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE '//nowhere' ON CONTRACT C;
END CONVERSATION @h;
GO
--! spec OBJECT-20
-- A database has its own; a queue is an object of its schema.
SELECT COUNT(*) FROM There.sys.service_message_types WHERE name = 'M'; SELECT COUNT(*) FROM There.sys.service_contracts WHERE name = 'C';
SELECT COUNT(*) FROM There.sys.services WHERE name = 'S'; SELECT COUNT(*) FROM There.sys.routes WHERE name = 'R';
SELECT COUNT(*) FROM There.sys.remote_service_bindings; SELECT COUNT(*) FROM There.sys.conversation_priorities;
SELECT SCHEMA_NAME(o.schema_id), o.name, o.type, o.type_desc, o.principal_id FROM sys.objects o WHERE o.name = 'Q' ORDER BY 1;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! app | Q | SQ | SERVICE_QUEUE | NULL
--! dbo | Q | SQ | SERVICE_QUEUE | NULL
--! spec OBJECT-1 OBJECT-2 OBJECT-3 OBJECT-4 OBJECT-5 OBJECT-6 OBJECT-7 OBJECT-28
-- Names that must exist.
CREATE CONTRACT C2 (NoType SENT BY ANY);
GO
--! error 15151
CREATE SERVICE S2 ON QUEUE NoQueue;
GO
--! error 208
CREATE SERVICE S2 ON QUEUE Q (NoContract);
GO
--! error 15151
CREATE BROKER PRIORITY P2 FOR CONVERSATION SET (CONTRACT_NAME = NoContract);
GO
--! error 15151
CREATE BROKER PRIORITY P2 FOR CONVERSATION SET (LOCAL_SERVICE_NAME = NoService);
GO
--! error 15151
CREATE BROKER PRIORITY P2 FOR CONVERSATION SET (LOCAL_SERVICE_NAME = s);
GO
--! error 15151
--! spec OBJECT-21 PRIORITY-25
-- The activation procedure may come later.
CREATE QUEUE Late WITH ACTIVATION (PROCEDURE_NAME = NotYet, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
SELECT activation_procedure FROM sys.service_queues WHERE name = 'Late';
GO
--! rows
--! [Here].[dbo].[NotYet]
--! spec OBJECT-22
-- Event notifications of the server, of a database and of a queue.
CREATE EVENT NOTIFICATION OnServer ON SERVER FOR CREATE_DATABASE TO SERVICE 'S', 'current database';
CREATE EVENT NOTIFICATION OnDatabase ON DATABASE FOR CREATE_TABLE TO SERVICE 'S', 'current database';
SELECT name, parent_class_desc FROM sys.event_notifications ORDER BY name;
SELECT name, parent_class_desc FROM sys.server_event_notifications;
DROP EVENT NOTIFICATION OnServer ON SERVER; DROP EVENT NOTIFICATION OnDatabase ON DATABASE; DROP EVENT NOTIFICATION E ON QUEUE Q;
SELECT COUNT(*) FROM sys.event_notifications;
GO
--! rows
--! E | OBJECT_OR_COLUMN
--! OnDatabase | DATABASE
--! rows
--! OnServer | SERVER
--! rows
--! 0
--! spec OBJECT-8 OBJECT-40
-- The instance has no endpoint, then one, and no second one; nothing keeps it.
SELECT COUNT(*) FROM sys.service_broker_endpoints;
CREATE ENDPOINT Only STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! rows
--! 0
CREATE ENDPOINT Other AS TCP (LISTENER_PORT = 4023) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 7806
DROP ENDPOINT Only;
SELECT COUNT(*) FROM sys.service_broker_endpoints;
GO
--! rows
--! 0
--! spec OBJECT-9 OBJECT-41
-- Certificates and the one master key are a database's.
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd1';
CREATE CERTIFICATE Cert WITH SUBJECT = 'here';
SELECT COUNT(*) FROM sys.certificates WHERE name = 'Cert'; SELECT COUNT(*) FROM There.sys.certificates WHERE name = 'Cert';
SELECT name, is_master_key_encrypted_by_server FROM sys.databases WHERE name IN ('Here', 'There') ORDER BY name;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd2';
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! Here | 1
--! There | 0
--! error 15578
--! spec OBJECT-10 OBJECT-11
-- Owners: AUTHORIZATION, else who creates; ALTER AUTHORIZATION changes them.
CREATE MESSAGE TYPE OfAnn AUTHORIZATION Ann; CREATE CONTRACT OfAnn AUTHORIZATION Ann (OfAnn SENT BY ANY); CREATE SERVICE OfAnn AUTHORIZATION Ann ON QUEUE Q;
CREATE ROUTE OfAnn AUTHORIZATION Ann WITH ADDRESS = 'LOCAL'; CREATE REMOTE SERVICE BINDING OfAnn AUTHORIZATION Ann TO SERVICE '//x' WITH USER = Ann;
CREATE MESSAGE TYPE OfRole AUTHORIZATION Traders;
GO
CREATE VIEW Owners AS
SELECT 'type' AS class, name COLLATE DATABASE_DEFAULT AS name, USER_NAME(principal_id) AS owner FROM sys.service_message_types WHERE message_type_id >= 65536
UNION ALL SELECT 'contract', name, USER_NAME(principal_id) FROM sys.service_contracts WHERE service_contract_id >= 65536
UNION ALL SELECT 'service', name, USER_NAME(principal_id) FROM sys.services WHERE service_id >= 65536
UNION ALL SELECT 'route', name, USER_NAME(principal_id) FROM sys.routes WHERE name <> 'AutoCreatedLocal'
UNION ALL SELECT 'binding', name, USER_NAME(principal_id) FROM sys.remote_service_bindings;
GO
SELECT class, name, owner FROM Owners ORDER BY class, name;
GO
--! rows
--! binding | B | dbo
--! binding | OfAnn | Ann
--! contract | C | dbo
--! contract | OfAnn | Ann
--! route | OfAnn | Ann
--! route | R | dbo
--! service | OfAnn | Ann
--! service | S | dbo
--! type | M | dbo
--! type | OfAnn | Ann
--! type | OfRole | Traders
--! spec OBJECT-25 OBJECT-26 OBJECT-29
ALTER AUTHORIZATION ON MESSAGE TYPE::M TO Ann; ALTER AUTHORIZATION ON CONTRACT::C TO Ann; ALTER AUTHORIZATION ON SERVICE::S TO Ann;
ALTER AUTHORIZATION ON ROUTE::R TO Ann; ALTER AUTHORIZATION ON REMOTE SERVICE BINDING::B TO Ann;
SELECT COUNT(*) FROM Owners WHERE owner = 'Ann';
GO
--! rows
--! 10
--! spec OBJECT-27
GRANT CREATE MESSAGE TYPE TO Ann;
EXECUTE AS USER = 'Ann';
CREATE MESSAGE TYPE Own;
REVERT;
SELECT owner FROM Owners WHERE name = 'Own';
DROP MESSAGE TYPE Own;
GO
--! rows
--! Ann
-- What is in use stays.
DROP MESSAGE TYPE M;
GO
--! error 3716 severity 16
--! spec OBJECT-31
DROP QUEUE Q;
GO
--! error 3716 severity 16
--! spec OBJECT-34
DROP SERVICE S;
GO
--! error 3716 severity 16
--! spec OBJECT-35
ALTER SERVICE S (DROP CONTRACT C);
GO
DROP CONTRACT C;
GO
--! error 3716 severity 16 text broker priorities
--! spec OBJECT-33
ALTER SERVICE S (ADD CONTRACT C);
DROP BROKER PRIORITY P;
GO
DROP CONTRACT C;
GO
--! error 3716 severity 16 text services
--! spec OBJECT-32
CREATE SERVICE Far ON QUEUE Q (C);
CREATE BROKER PRIORITY ToFar FOR CONVERSATION SET (REMOTE_SERVICE_NAME = 'Far', PRIORITY_LEVEL = 7);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Far' ON CONTRACT C;
DROP SERVICE Far; DROP BROKER PRIORITY ToFar; DROP ROUTE R; DROP REMOTE SERVICE BINDING B;
SELECT priority FROM sys.conversation_endpoints WHERE conversation_handle = @h;
END CONVERSATION @h;
GO
--! rows
--! 7
--! spec OBJECT-36 OBJECT-37 OBJECT-38 OBJECT-39
-- Schema collections: a message type or a column keeps them; two schemas may have one of the same name.
CREATE XML SCHEMA COLLECTION Shape AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a" type="xsd:int"/></xsd:schema>';
CREATE XML SCHEMA COLLECTION app.Shape AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="b" type="xsd:int"/></xsd:schema>';
CREATE MESSAGE TYPE Shaped VALIDATION = VALID_XML WITH SCHEMA COLLECTION app.Shape;
CREATE TABLE Documents (d xml(Shape));
GO
DROP XML SCHEMA COLLECTION app.Shape;
GO
--! error 6328
DROP XML SCHEMA COLLECTION Shape;
GO
--! error 6328
DROP MESSAGE TYPE Shaped; DROP TABLE Documents; DROP XML SCHEMA COLLECTION app.Shape; DROP XML SCHEMA COLLECTION Shape;
SELECT COUNT(*) FROM sys.xml_schema_collections WHERE name = 'Shape';
GO
--! rows
--! 0
--! spec OBJECT-12 OBJECT-42 OBJECT-43
-- Broker ids.
SELECT COUNT(*), COUNT(DISTINCT service_broker_guid) FROM sys.databases WHERE name IN ('Here', 'There');
GO
--! rows
--! 2 | 2
DECLARE @before uniqueidentifier = (SELECT service_broker_guid FROM sys.databases WHERE name = 'There');
ALTER DATABASE There SET NEW_BROKER;
SELECT COUNT(*) FROM sys.databases WHERE name = 'There' AND service_broker_guid <> @before AND service_broker_guid IS NOT NULL;
GO
--! rows
--! 1
--! spec OBJECT-16 OBJECT-17
-- The identity of a conversation: handles and groups of each side, one conversation_id, numbers of each direction from 0.
CREATE QUEUE Answers;
GRANT RECEIVE ON Answers TO Ann;
CREATE SERVICE Target AUTHORIZATION Ann ON QUEUE Answers ([DEFAULT]);
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE OfAnn TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SELECT USER_NAME(principal_id), is_initiator FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT COUNT(*) FROM sys.conversation_groups g JOIN sys.services s ON s.service_id = g.service_id WHERE s.name = 'OfAnn';
SEND ON CONVERSATION @h (N'1'); SEND ON CONVERSATION @h (N'2');
SELECT COUNT(*), COUNT(DISTINCT conversation_id), COUNT(DISTINCT conversation_handle), COUNT(DISTINCT conversation_group_id), MIN(is_initiator), MAX(is_initiator)
FROM sys.conversation_endpoints WHERE conversation_id = (SELECT conversation_id FROM sys.conversation_endpoints WHERE conversation_handle = @h);
SELECT @t = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0;
SELECT USER_NAME(principal_id) FROM sys.conversation_endpoints WHERE conversation_handle = @t;
SEND ON CONVERSATION @t (N'3');
SELECT message_sequence_number, CAST(message_body AS nvarchar(5)) FROM Answers ORDER BY queuing_order;
SELECT message_sequence_number, CAST(message_body AS nvarchar(5)) FROM Q;
SELECT COUNT(DISTINCT message_id) FROM (SELECT message_id FROM Answers UNION ALL SELECT message_id FROM Q) m;
GO
--! rows
--! Ann | 1
--! rows
--! 1
--! rows
--! 2 | 1 | 2 | 2 | 0 | 1
--! rows
--! Ann
--! rows
--! 0 | 1
--! 1 | 2
--! rows
--! 0 | 3
--! rows
--! 3
--! spec OBJECT-13 OBJECT-15 OBJECT-23 OBJECT-44 IDENT-1 IDENT-2 IDENT-3 IDENT-4 IDENT-5 IDENT-6 IDENT-7
-- The group goes with its last conversation.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
END CONVERSATION @h WITH CLEANUP;
SELECT COUNT(*) FROM sys.conversation_groups g JOIN sys.services s ON s.service_id = g.service_id WHERE s.name = 'OfAnn';
SELECT COUNT(*) FROM sys.conversation_groups;
GO
--! rows
--! 0
--! rows
--! 1
--! spec OBJECT-14
