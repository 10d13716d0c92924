-- What the views of objects show of definitions that are given here, column by column.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE XML SCHEMA COLLECTION Order_xsd AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="o" type="xs:int"/></xs:schema>';
CREATE MESSAGE TYPE [//o] VALIDATION = VALID_XML WITH SCHEMA COLLECTION Order_xsd;
CREATE CONTRACT [//c] ([//o] SENT BY INITIATOR);
CREATE QUEUE Orders; CREATE QUEUE Replies;
CREATE USER clerk WITHOUT LOGIN;
GO
CREATE SERVICE [//shop] AUTHORIZATION clerk ON QUEUE Orders ([//c], [DEFAULT]);
CREATE SERVICE [//client] ON QUEUE Replies;
SELECT name, USER_NAME(principal_id), OBJECT_NAME(service_queue_id), service_id - (SELECT MIN(service_id) FROM sys.services WHERE name LIKE '//%')
FROM sys.services WHERE name LIKE '//%' ORDER BY name DESC;
SELECT s.name, c.name FROM sys.service_contract_usages u JOIN sys.services s ON s.service_id = u.service_id
JOIN sys.service_contracts c ON c.service_contract_id = u.service_contract_id WHERE s.name LIKE '//%' ORDER BY c.name;
SELECT s.name, OBJECT_NAME(u.service_queue_id) FROM sys.service_queue_usages u JOIN sys.services s ON s.service_id = u.service_id
WHERE s.name LIKE '//%' ORDER BY s.name;
SELECT t.name, x.name FROM sys.message_type_xml_schema_collection_usages u JOIN sys.service_message_types t ON t.message_type_id = u.message_type_id
JOIN sys.xml_schema_collections x ON x.xml_collection_id = u.xml_collection_id;
GO
--! rows
--! //shop | clerk | Orders | 0
--! //client | dbo | Replies | 1
--! rows
--! //shop | //c
--! //shop | DEFAULT
--! rows
--! //client | Replies
--! //shop | Orders
--! rows
--! //o | Order_xsd
--! spec SERVICECOLUMN-1..8 COLUMN-34..35
-- Routes: a lifetime is a moment, counted from the statement; what is not given is NULL.
CREATE ROUTE Far AUTHORIZATION clerk WITH SERVICE_NAME = '//far', BROKER_INSTANCE = '11111111-2222-3333-4444-555555555555',
    LIFETIME = 600, ADDRESS = 'TCP://far:4022', MIRROR_ADDRESS = 'TCP://mirror:4023';
CREATE ROUTE Near WITH ADDRESS = 'LOCAL';
SELECT name, USER_NAME(principal_id), remote_service_name, broker_instance, lifetime, address, mirror_address, SIGN(route_id)
FROM sys.routes WHERE name IN ('Far', 'Near') ORDER BY name;
GO
--! rows
--! Far | clerk | //far | 11111111-2222-3333-4444-555555555555 | 2026-01-01 00:10:00.000 | TCP://far:4022 | TCP://mirror:4023 | 1
--! Near | dbo | NULL | NULL | NULL | LOCAL | NULL | 1
--! spec ROUTECOLUMN-1..8
-- Remote service bindings: the contract is none (0), as documented.
CREATE USER remote WITHOUT LOGIN;
CREATE REMOTE SERVICE BINDING Bound AUTHORIZATION clerk TO SERVICE '//far' WITH USER = remote, ANONYMOUS = ON;
SELECT name, SIGN(remote_service_binding_id), USER_NAME(principal_id), remote_service_name, service_contract_id, USER_NAME(remote_principal_id), is_anonymous_on
FROM sys.remote_service_bindings;
GO
--! rows
--! Bound | 1 | clerk | //far | 0 | remote | 1
--! spec KEYCOLUMN-1..7
-- Event notifications: of a queue, of the database, of the server.
DECLARE @guid nvarchar(36) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Shop'), @sql nvarchar(max);
SET @sql = REPLACE(N'CREATE EVENT NOTIFICATION OnQueue ON QUEUE Orders FOR QUEUE_ACTIVATION TO SERVICE ''//client'', ''@g'';
CREATE EVENT NOTIFICATION OnDatabase ON DATABASE WITH FAN_IN FOR CREATE_TABLE TO SERVICE ''//client'', ''current database'';
CREATE EVENT NOTIFICATION OnServer ON SERVER FOR DDL_LOGIN_EVENTS TO SERVICE ''//client'', ''@g''', N'@g', @guid);
EXEC (@sql);
SELECT name, parent_class, parent_class_desc, IIF(parent_id = 0, 'none', OBJECT_NAME(parent_id)), create_date, modify_date, service_name,
    IIF(broker_instance = @guid, 'own', broker_instance), USER_NAME(principal_id), IIF(creator_sid IS NULL, 'no', 'yes'), SIGN(object_id)
FROM sys.event_notifications ORDER BY name DESC;
SELECT name, parent_class, parent_class_desc, parent_id, create_date, modify_date, service_name, IIF(broker_instance = @guid, 'own', broker_instance),
    SIGN(object_id) FROM sys.server_event_notifications;
SELECT n.name, (SELECT t.type_name FROM sys.event_notification_event_types t WHERE t.type = e.type), e.type_desc, e.is_trigger_event, e.event_group_type, e.event_group_type_desc
FROM sys.events e JOIN sys.event_notifications n ON n.object_id = e.object_id ORDER BY n.name;
SELECT DISTINCT n.name, (SELECT t.type_name FROM sys.event_notification_event_types t WHERE t.type = e.event_group_type), e.event_group_type_desc FROM sys.server_events e JOIN sys.server_event_notifications n ON n.object_id = e.object_id;
SELECT e.type, e.type_desc FROM sys.server_events e ORDER BY e.type;
SELECT c.type, c.type_name, p.type_name FROM sys.event_notification_event_types c JOIN sys.event_notification_event_types p ON p.type = c.parent_type
WHERE c.type_name IN ('CREATE_TABLE', 'DDL_TABLE_EVENTS') ORDER BY c.type;
GO
--! rows
--! OnQueue | 1 | OBJECT_OR_COLUMN | Orders | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | //client | own | dbo | no | 1
--! OnDatabase | 0 | DATABASE | none | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | //client | own | dbo | yes | 1
--! rows
--! OnServer | 100 | SERVER | 0 | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | //client | own | 1
--! rows
--! OnDatabase | CREATE_TABLE | CREATE_TABLE | 0 | NULL | NULL
--! OnQueue | QUEUE_ACTIVATION | QUEUE_ACTIVATION | 0 | NULL | NULL
--! rows
--! OnServer | DDL_LOGIN_EVENTS | DDL_LOGIN_EVENTS
--! rows
--! 144 | CREATE_LOGIN
--! 145 | ALTER_LOGIN
--! 146 | DROP_LOGIN
--! rows
--! 21 | CREATE_TABLE | DDL_TABLE_EVENTS
--! 10018 | DDL_TABLE_EVENTS | DDL_TABLE_VIEW_EVENTS
--! spec EVENTCOLUMN-1..10 EVENTCOLUMN-11..20 EVENTCOLUMN-22..36
DROP EVENT NOTIFICATION OnServer ON SERVER;
-- A database and its options.
ALTER DATABASE Shop SET HONOR_BROKER_PRIORITY ON;
ALTER DATABASE Shop SET TRUSTWORTHY ON;
ALTER DATABASE Shop SET DELAYED_DURABILITY = FORCED;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Secret-123';
SELECT name, database_id, state, state_desc, user_access, user_access_desc, is_read_only, IIF(service_broker_guid = '00000000-0000-0000-0000-000000000000', 'none', 'one'),
    is_broker_enabled, is_honor_broker_priority_on, is_trustworthy_on, is_master_key_encrypted_by_server, delayed_durability, delayed_durability_desc
FROM sys.databases WHERE name = 'Shop';
ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY;
ALTER DATABASE Shop SET DISABLE_BROKER;
ALTER DATABASE Shop SET RESTRICTED_USER;
ALTER DATABASE Shop SET DELAYED_DURABILITY = ALLOWED;
SELECT user_access, user_access_desc, is_broker_enabled, is_master_key_encrypted_by_server, delayed_durability, delayed_durability_desc FROM sys.databases WHERE name = 'Shop';
GO
--! rows
--! Shop | 5 | 0 | ONLINE | 0 | MULTI_USER | 0 | one | 1 | 1 | 1 | 1 | 2 | FORCED
--! rows
--! 2 | RESTRICTED_USER | 0 | 0 | 1 | ALLOWED
--! spec DATABASECOLUMN-1..14
-- The types of the built-in contracts.
SELECT REPLACE(c.name, 'http://schemas.microsoft.com/SQL/', ''), REPLACE(t.name, 'http://schemas.microsoft.com/SQL/', ''), u.is_sent_by_initiator, u.is_sent_by_target
FROM sys.service_contract_message_usages u JOIN sys.service_contracts c ON c.service_contract_id = u.service_contract_id
JOIN sys.service_message_types t ON t.message_type_id = u.message_type_id WHERE c.name <> '//c' ORDER BY c.name, t.name;
GO
--! rows
--! DEFAULT | DEFAULT | 1 | 1
--! Notifications/PostEventNotification | Notifications/EventNotification | 1 | 0
--! Notifications/PostQueryNotification | Notifications/QueryNotification | 1 | 0
--! ServiceBroker/BrokerConfigurationNotice | ServiceBroker/BrokerConfigurationNotice/FailedRemoteServiceBinding | 1 | 0
--! ServiceBroker/BrokerConfigurationNotice | ServiceBroker/BrokerConfigurationNotice/FailedRoute | 1 | 0
--! ServiceBroker/BrokerConfigurationNotice | ServiceBroker/BrokerConfigurationNotice/MissingRemoteServiceBinding | 1 | 0
--! ServiceBroker/BrokerConfigurationNotice | ServiceBroker/BrokerConfigurationNotice/MissingRoute | 1 | 0
--! ServiceBroker/ServiceDiagnostic | ServiceBroker/ServiceDiagnostic/Description | 0 | 1
--! ServiceBroker/ServiceDiagnostic | ServiceBroker/ServiceDiagnostic/Query | 1 | 0
--! ServiceBroker/ServiceDiagnostic | ServiceBroker/ServiceDiagnostic/Status | 0 | 1
--! ServiceBroker/ServiceEcho | ServiceBroker/ServiceEcho/Echo | 1 | 1
--! spec BUILTINCONTRACT-1..6

-- The values of identities and sequences are variants of the whole type of theirs.
CREATE TABLE of_numeric (id numeric(20) IDENTITY (12345678901234567890, 2));
CREATE SEQUENCE of_decimal AS decimal(30) START WITH 7;
INSERT of_numeric DEFAULT VALUES;
INSERT of_numeric DEFAULT VALUES;
SELECT seed_value, increment_value, last_value, SQL_VARIANT_PROPERTY(seed_value, 'BaseType'), SQL_VARIANT_PROPERTY(seed_value, 'Precision')
FROM sys.identity_columns WHERE object_id = OBJECT_ID('of_numeric');
SELECT start_value, maximum_value, SQL_VARIANT_PROPERTY(current_value, 'BaseType'), SQL_VARIANT_PROPERTY(current_value, 'Precision')
FROM sys.sequences WHERE name = 'of_decimal';
SELECT START_VALUE, MINIMUM_VALUE FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_NAME = 'of_decimal';
GO
--! rows
--! 12345678901234567890 | 2 | 12345678901234567892 | numeric | 20
--! rows
--! 7 | 999999999999999999999999999999 | decimal | 30
--! rows
--! 7 | -999999999999999999999999999999
