-- What the views of certificates and endpoints show of definitions that are given here, column by column.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE USER clerk WITHOUT LOGIN;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Secret-123';
CREATE CERTIFICATE Guarded AUTHORIZATION clerk ENCRYPTION BY PASSWORD = 'Secret-123'
    WITH SUBJECT = 'Guarded one', START_DATE = '20260101', EXPIRY_DATE = '20300102' ACTIVE FOR BEGIN_DIALOG = OFF;
CREATE CERTIFICATE Open_to_broker WITH SUBJECT = 'Shop broker', START_DATE = '20260103', EXPIRY_DATE = '20300104';
SELECT name, SIGN(certificate_id), USER_NAME(principal_id), pvt_key_encryption_type, pvt_key_encryption_type_desc, is_active_for_begin_dialog,
    issuer_name, subject, start_date, expiry_date, attested_by, pvt_key_last_backup_date FROM sys.certificates ORDER BY name;
-- A serial number in pairs of digits, a SHA-1 thumbprint, and a sid that is made of it.
SELECT LEN(cert_serial_number), DATALENGTH(thumbprint), IIF(SUBSTRING(sid, 13, 20) = thumbprint, 'made of it', 'another'), LEFT(string_sid, 8) FROM sys.certificates;
GO
--! rows
--! Guarded | 1 | clerk | PW | ENCRYPTED_BY_PASSWORD | 0 | Guarded one | Guarded one | 2026-01-01 00:00:00.000 | 2030-01-02 00:00:00.000 | NULL | NULL
--! Open_to_broker | 1 | dbo | MK | ENCRYPTED_BY_MASTER_KEY | 1 | Shop broker | Shop broker | 2026-01-03 00:00:00.000 | 2030-01-04 00:00:00.000 | NULL | NULL
--! rows
--! 47 | 20 | made of it | S-1-9-1-
--! 47 | 20 | made of it | S-1-9-1-
--! spec KEYCOLUMN-48..63
USE master;
CREATE ENDPOINT Broker STATE = STOPPED AS TCP (LISTENER_PORT = 4022, LISTENER_IP = (127.0.0.1)) FOR SERVICE_BROKER
    (AUTHENTICATION = WINDOWS KERBEROS, ENCRYPTION = REQUIRED ALGORITHM AES, MESSAGE_FORWARDING = ENABLED, MESSAGE_FORWARD_SIZE = 20);
SELECT name, IIF(endpoint_id > 65535, 'of a user', 'of the system'), SUSER_NAME(principal_id), protocol, protocol_desc, type, type_desc, state, state_desc, is_admin_endpoint
FROM sys.endpoints WHERE name IN ('Broker', 'Dedicated Admin Connection') ORDER BY name;
SELECT name, IIF(endpoint_id > 65535, 'of a user', 'of the system'), SUSER_NAME(principal_id), protocol, protocol_desc, type, type_desc, state, state_desc, is_admin_endpoint,
    port, is_dynamic_port, ip_address FROM sys.tcp_endpoints WHERE name = 'Broker';
SELECT name, IIF(endpoint_id > 65535, 'of a user', 'of the system'), SUSER_NAME(principal_id), protocol, protocol_desc, type, type_desc, state, state_desc, is_admin_endpoint,
    is_message_forwarding_enabled, message_forwarding_size, connection_auth, connection_auth_desc, certificate_id, encryption_algorithm, encryption_algorithm_desc
FROM sys.service_broker_endpoints;
GO
--! rows
--! Broker | of a user | sa | 2 | TCP | 3 | SERVICE_BROKER | 1 | STOPPED | 0
--! Dedicated Admin Connection | of the system | sa | 2 | TCP | 2 | TSQL | 0 | STARTED | 1
--! rows
--! Broker | of a user | sa | 2 | TCP | 3 | SERVICE_BROKER | 1 | STOPPED | 0 | 4022 | 0 | 127.0.0.1
--! rows
--! Broker | of a user | sa | 2 | TCP | 3 | SERVICE_BROKER | 1 | STOPPED | 0 | 1 | 20 | 2 | KERBEROS | 0 | 2 | AES
--! spec KEYCOLUMN-8..47
