-- Remote service bindings, endpoints, certificates, master keys.
CREATE DATABASE Secure;
GO
USE Secure;
CREATE USER Partner WITHOUT LOGIN;
CREATE USER Second WITHOUT LOGIN;
CREATE ROLE Team;
GO
CREATE REMOTE SERVICE BINDING B1 AUTHORIZATION dbo TO SERVICE '//far/service' WITH USER = Partner, ANONYMOUS = ON;
CREATE REMOTE SERVICE BINDING B2 TO SERVICE '//other' WITH USER = Partner;
SELECT b.name, b.principal_id, b.remote_service_name, b.service_contract_id, p.name, b.is_anonymous_on
FROM sys.remote_service_bindings b JOIN sys.database_principals p ON p.principal_id = b.remote_principal_id ORDER BY b.name;
GO
--! rows
--! B1 | 1 | //far/service | 0 | Partner | 1
--! B2 | 1 | //other | 0 | Partner | 0
ALTER REMOTE SERVICE BINDING B1 WITH USER = Second, ANONYMOUS = OFF;
ALTER REMOTE SERVICE BINDING B2 WITH ANONYMOUS = ON;
SELECT p.name, b.is_anonymous_on FROM sys.remote_service_bindings b JOIN sys.database_principals p ON p.principal_id = b.remote_principal_id ORDER BY b.name;
GO
--! rows
--! Second | 0
--! Partner | 1
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//other' WITH USER = Second;
GO
--! error 9619
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//third' WITH USER = Team;
GO
--! error 28083
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//third' WITH USER = Nobody;
GO
--! error 15151
DROP REMOTE SERVICE BINDING B1;
DROP REMOTE SERVICE BINDING B2;
DROP REMOTE SERVICE BINDING B2;
GO
--! error 15151
-- Endpoint: at most one, not in a user transaction; its rows in the three views.
CREATE ENDPOINT Broker STATE = STARTED AS TCP (LISTENER_PORT = 4022, LISTENER_IP = ALL)
    FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = REQUIRED ALGORITHM AES, MESSAGE_FORWARDING = ENABLED, MESSAGE_FORWARD_SIZE = 20);
SELECT name, protocol, protocol_desc, type, type_desc, state, state_desc, is_admin_endpoint FROM sys.endpoints WHERE type = 3;
SELECT port, is_dynamic_port, ip_address FROM sys.tcp_endpoints WHERE name = 'Broker';
SELECT is_message_forwarding_enabled, message_forwarding_size, connection_auth, connection_auth_desc, certificate_id, encryption_algorithm
FROM sys.service_broker_endpoints;
GO
--! rows
--! Broker | 2 | TCP | 3 | SERVICE_BROKER | 0 | STARTED | 0
--! rows
--! 4022 | 0 | NULL
--! rows
--! 1 | 20 | 3 | NEGOTIATE | 0 | 2
ALTER ENDPOINT Broker STATE = STOPPED;
ALTER ENDPOINT Broker FOR SERVICE_BROKER (MESSAGE_FORWARDING = DISABLED, ENCRYPTION = DISABLED);
SELECT state_desc FROM sys.endpoints WHERE name = 'Broker';
SELECT is_message_forwarding_enabled, message_forwarding_size, encryption_algorithm FROM sys.service_broker_endpoints;
GO
--! rows
--! STOPPED
--! rows
--! 0 | 20 | 0
CREATE ENDPOINT Second AS TCP (LISTENER_PORT = 5000) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 7806
BEGIN TRANSACTION;
DROP ENDPOINT Broker;
GO
--! error 574
ROLLBACK;
DROP ENDPOINT Broker;
SELECT COUNT(*) FROM sys.service_broker_endpoints;
GO
--! rows
--! 0
-- Defaults: STOPPED, forwarding off, 10 MB.
CREATE ENDPOINT Plain AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
SELECT e.state_desc, b.is_message_forwarding_enabled, b.message_forwarding_size, b.encryption_algorithm FROM sys.endpoints e
JOIN sys.service_broker_endpoints b ON b.endpoint_id = e.endpoint_id;
DROP ENDPOINT Plain;
GO
--! rows
--! STOPPED | 0 | 10 | 2
CREATE ENDPOINT Bad AS TCP (LISTENER_PORT = 80) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 5837
CREATE ENDPOINT Bad AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (MESSAGE_FORWARD_SIZE = 0);
GO
--! error 5839
-- Certificates need the master key; ACTIVE FOR BEGIN_DIALOG is ON by default.
CREATE CERTIFICATE Early WITH SUBJECT = 'no key yet';
GO
--! error 15581
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd1';
SELECT is_master_key_encrypted_by_server FROM sys.databases WHERE name = 'Secure';
CREATE CERTIFICATE C1 AUTHORIZATION Partner WITH SUBJECT = 'partner', START_DATE = '2026-01-01', EXPIRY_DATE = '2030-12-31' ACTIVE FOR BEGIN_DIALOG = OFF;
CREATE CERTIFICATE C2 WITH SUBJECT = 'second';
SELECT c.name, p.name, c.subject, c.is_active_for_begin_dialog, c.pvt_key_encryption_type, c.start_date, DATEDIFF(year, c.start_date, c.expiry_date)
FROM sys.certificates c JOIN sys.database_principals p ON p.principal_id = c.principal_id ORDER BY c.name;
ALTER CERTIFICATE C1 WITH ACTIVE FOR BEGIN_DIALOG = ON;
SELECT is_active_for_begin_dialog FROM sys.certificates WHERE name = 'C1';
GO
--! rows
--! 1
--! rows
--! C1 | Partner | partner | 0 | MK | 2026-01-01 00:00:00.000 | 4
--! C2 | dbo | second | 1 | MK | * | 1
--! rows
--! 1
CREATE CERTIFICATE C1 WITH SUBJECT = 'again';
GO
--! error 15232
ALTER CERTIFICATE C1 REMOVE PRIVATE KEY;
SELECT pvt_key_encryption_type FROM sys.certificates WHERE name = 'C1';
DROP CERTIFICATE C1;
GO
--! rows
--! NA
DROP CERTIFICATE C1;
GO
--! error 15151
