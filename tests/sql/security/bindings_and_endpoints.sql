-- Remote service bindings and endpoints: forms, defaults, refusals, rights.
CREATE DATABASE Bound; CREATE DATABASE Other;
GO
USE Bound;
CREATE USER Ann WITHOUT LOGIN; CREATE USER Ben WITHOUT LOGIN; CREATE USER Cid WITHOUT LOGIN; CREATE ROLE Team; CREATE APPLICATION ROLE Tool WITH PASSWORD = 'x';
CREATE CERTIFICATE Far ENCRYPTION BY PASSWORD = 'p' WITH SUBJECT = 'far'; CREATE USER FarUser FROM CERTIFICATE Far;
GO
CREATE REMOTE SERVICE BINDING B1 AUTHORIZATION Ann TO SERVICE '//far/1' WITH USER = Ann, ANONYMOUS = ON;
CREATE REMOTE SERVICE BINDING B2 TO SERVICE '//far/2' WITH USER = Ann;
SELECT name, USER_NAME(principal_id), remote_service_name, service_contract_id, USER_NAME(remote_principal_id), is_anonymous_on
FROM sys.remote_service_bindings ORDER BY name;
ALTER REMOTE SERVICE BINDING B1 WITH USER = Ben; ALTER REMOTE SERVICE BINDING B2 WITH ANONYMOUS = ON;
ALTER REMOTE SERVICE BINDING B1 WITH USER = Ann, ANONYMOUS = OFF;
SELECT USER_NAME(remote_principal_id), is_anonymous_on FROM sys.remote_service_bindings ORDER BY name;
GO
--! rows
--! B1 | Ann | //far/1 | 0 | Ann | 1
--! B2 | dbo | //far/2 | 0 | Ann | 0
--! rows
--! Ann | 0
--! Ann | 1
--! spec BINDING-1 BINDING-2 BINDING-4 BINDING-13
ALTER REMOTE SERVICE BINDING B1 WITH USER = Ben, ANONYMOUS = ON; ALTER REMOTE SERVICE BINDING B1 WITH USER = Ann;
SELECT is_anonymous_on FROM sys.remote_service_bindings WHERE name = 'B1';
GO
--! rows
--! 1
--! spec BINDING-4
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/1' WITH USER = Ben;
GO
--! error 9619
--! spec BINDING-3
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = Team;
GO
--! error 28083
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = Tool;
GO
--! error 28083
--! spec BINDING-6
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = FarUser;
GO
--! error 28089
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = sys;
GO
--! error 28089
--! spec BINDING-7
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = Nobody;
GO
--! error 15151
--! spec BINDING-8
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' ON CONTRACT [DEFAULT] WITH USER = Ann;
GO
--! error 156
--! spec BINDING-13
EXECUTE AS USER = 'Cid';
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = Cid;
GO
--! error 262
REVERT; GRANT CREATE REMOTE SERVICE BINDING TO Cid; EXECUTE AS USER = 'Cid';
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = Ben;
GO
--! error 15151
CREATE REMOTE SERVICE BINDING B3 TO SERVICE '//far/3' WITH USER = Cid;
ALTER REMOTE SERVICE BINDING B3 WITH ANONYMOUS = ON;
ALTER REMOTE SERVICE BINDING B3 WITH USER = Ben;
GO
--! error 15151
ALTER REMOTE SERVICE BINDING B1 WITH ANONYMOUS = ON;
GO
--! error 15151
DROP REMOTE SERVICE BINDING B1;
GO
--! error 15151
REVERT; GRANT IMPERSONATE ON USER::Ben TO Cid; GRANT ALTER ANY REMOTE SERVICE BINDING TO Cid; EXECUTE AS USER = 'Cid';
ALTER REMOTE SERVICE BINDING B3 WITH USER = Ben; DROP REMOTE SERVICE BINDING B3; DROP REMOTE SERVICE BINDING B2;
REVERT;
GO
--! spec BINDING-9 BINDING-10
DROP REMOTE SERVICE BINDING B2;
GO
--! error 15151
--! spec BINDING-5
-- Inside the instance: not needed; when it is there, its certificates count, and without them what counts without it.
CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
USE Other; CREATE QUEUE Q; CREATE SERVICE Near ON QUEUE Q ([DEFAULT]); USE Bound;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'here');
SELECT COUNT(*) FROM Q;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Near' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'first');
SELECT COUNT(*) FROM Other.dbo.Q;
CREATE REMOTE SERVICE BINDING BNear TO SERVICE 'Near' WITH USER = Ann;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Near' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'second');
SELECT COUNT(*) FROM Other.dbo.Q WHERE CAST(message_body AS nvarchar(10)) = N'second';
SELECT LEFT(transmission_status, 55) FROM sys.transmission_queue WHERE conversation_handle = @h;
USE Other; GRANT SEND ON SERVICE::Near TO public; USE Bound;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Near' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'third');
SELECT COUNT(*) FROM Other.dbo.Q WHERE CAST(message_body AS nvarchar(10)) = N'third';
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0
--! rows
--! The session keys of this conversation could not be stor
--! rows
--! 1
--! spec BINDING-11 BINDING-12 BINDING-15
-- Endpoints: defaults.
USE master;
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
SELECT e.name, SUSER_NAME(e.principal_id), e.protocol, e.protocol_desc, e.type, e.type_desc, e.state, e.state_desc, e.is_admin_endpoint FROM sys.endpoints e WHERE endpoint_id >= 65536;
SELECT name FROM sys.endpoints WHERE endpoint_id < 65536 AND type_desc = 'TSQL' AND is_admin_endpoint = 0 ORDER BY endpoint_id;
SELECT port, is_dynamic_port, ip_address FROM sys.tcp_endpoints WHERE name = 'E';
SELECT is_message_forwarding_enabled, message_forwarding_size, connection_auth, connection_auth_desc, certificate_id, encryption_algorithm, encryption_algorithm_desc
FROM sys.service_broker_endpoints;
GO
--! rows
--! E | sa | 2 | TCP | 3 | SERVICE_BROKER | 1 | STOPPED | 0
--! rows
--! TSQL Local Machine
--! TSQL Named Pipes
--! TSQL Default TCP
--! rows
--! 4022 | 0 | NULL
--! rows
--! 0 | 10 | 3 | NEGOTIATE | 0 | 2 | AES
--! spec ENDPOINT-1 ENDPOINT-2 ENDPOINT-4 ENDPOINT-5 ENDPOINT-7 ENDPOINT-9 ENDPOINT-10 ENDPOINT-24 ENDPOINT-26
ALTER ENDPOINT E STATE = STARTED; SELECT state, state_desc FROM sys.endpoints WHERE name = 'E';
ALTER ENDPOINT E STATE = DISABLED; SELECT state, state_desc FROM sys.endpoints WHERE name = 'E';
ALTER ENDPOINT E STATE = STOPPED; SELECT state, state_desc FROM sys.endpoints WHERE name = 'E';
ALTER ENDPOINT E AS TCP (LISTENER_PORT = 5022, LISTENER_IP = (10.0.0.1)) FOR SERVICE_BROKER (MESSAGE_FORWARDING = ENABLED, MESSAGE_FORWARD_SIZE = 3);
SELECT port, ip_address FROM sys.tcp_endpoints WHERE name = 'E';
ALTER ENDPOINT E AS TCP (LISTENER_IP = ('fe80::1'));
SELECT ip_address FROM sys.tcp_endpoints WHERE name = 'E';
SELECT is_message_forwarding_enabled, message_forwarding_size, connection_auth FROM sys.service_broker_endpoints;
GO
--! rows
--! 0 | STARTED
--! rows
--! 2 | DISABLED
--! rows
--! 1 | STOPPED
--! rows
--! 5022 | 10.0.0.1
--! rows
--! fe80::1
--! rows
--! 1 | 3 | 3
--! spec ENDPOINT-2 ENDPOINT-4 ENDPOINT-9 ENDPOINT-14 ENDPOINT-25
-- Encryption: nine values.
CREATE TABLE #seen (n int IDENTITY, what varchar(30), code tinyint);
GO
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = DISABLED); INSERT #seen SELECT 'DISABLED', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM RC4); INSERT #seen SELECT 'REQUIRED RC4', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM AES); INSERT #seen SELECT 'REQUIRED AES', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM RC4 AES); INSERT #seen SELECT 'REQUIRED RC4 AES', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM AES RC4); INSERT #seen SELECT 'REQUIRED AES RC4', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED ALGORITHM RC4); INSERT #seen SELECT 'SUPPORTED RC4', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED ALGORITHM AES); INSERT #seen SELECT 'SUPPORTED AES', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED ALGORITHM RC4 AES); INSERT #seen SELECT 'SUPPORTED RC4 AES', encryption_algorithm FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED ALGORITHM AES RC4); INSERT #seen SELECT 'SUPPORTED AES RC4', encryption_algorithm FROM sys.service_broker_endpoints;
SELECT what, code FROM #seen ORDER BY n; TRUNCATE TABLE #seen;
GO
--! rows
--! DISABLED | 0
--! REQUIRED RC4 | 1
--! REQUIRED AES | 2
--! REQUIRED RC4 AES | 5
--! REQUIRED AES RC4 | 6
--! SUPPORTED RC4 | 3
--! SUPPORTED AES | 4
--! SUPPORTED RC4 AES | 7
--! SUPPORTED AES RC4 | 8
--! spec ENDPOINT-8 ENDPOINT-23
ALTER ENDPOINT E FOR SERVICE_BROKER (ENCRYPTION = REQUIRED ALGORITHM DES);
GO
--! error 102
--! spec ENDPOINT-8
-- Authentication, with a certificate of master.
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE NoSuch);
GO
--! error 15151
-- One of another database does not do, wherever the session is.
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Far);
GO
--! error 15151 text Bound has it: that of an endpoint, which is the instance's, has to be in master.
USE Bound;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Far);
GO
--! error 15151 text Bound has it: that of an endpoint, which is the instance's, has to be in master.
USE master;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'p';
CREATE CERTIFICATE Good WITH SUBJECT = 'good'; CREATE CERTIFICATE ByPassword ENCRYPTION BY PASSWORD = 'q' WITH SUBJECT = 'password';
CREATE CERTIFICATE Old WITH SUBJECT = 'old', START_DATE = '2020-01-01', EXPIRY_DATE = '2021-01-01';
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE ByPassword);
GO
--! error 28055
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Old);
GO
--! error 28055
--! spec ENDPOINT-13
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS NTLM); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS KERBEROS); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS NEGOTIATE); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Good); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS NTLM CERTIFICATE Good); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS KERBEROS CERTIFICATE Good); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS CERTIFICATE Good); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Good WINDOWS NTLM); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Good WINDOWS KERBEROS); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Good WINDOWS NEGOTIATE); INSERT #seen SELECT connection_auth_desc, connection_auth FROM sys.service_broker_endpoints;
SELECT code FROM #seen ORDER BY n;
SELECT c.name FROM sys.service_broker_endpoints e JOIN sys.certificates c ON c.certificate_id = e.certificate_id;
GO
--! rows
--! 1
--! 2
--! 3
--! 4
--! 5
--! 6
--! 7
--! 8
--! 9
--! 10
--! rows
--! Good
--! spec ENDPOINT-6 ENDPOINT-21 ENDPOINT-22
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS SMARTCARD);
GO
--! error 5838
--! spec ENDPOINT-6
-- Refusals.
CREATE ENDPOINT E2 AS TCP (LISTENER_PORT = 4023) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 7806
--! spec ENDPOINT-11
ALTER ENDPOINT E AS TCP (LISTENER_PORT = 1023);
GO
--! error 5837
ALTER ENDPOINT E AS TCP (LISTENER_PORT = 32768);
GO
--! error 5837
ALTER ENDPOINT E FOR SERVICE_BROKER (MESSAGE_FORWARDING = PERHAPS);
GO
--! error 5840
ALTER ENDPOINT E FOR SERVICE_BROKER (MESSAGE_FORWARD_SIZE = 0);
GO
--! error 5839
--! spec ENDPOINT-9 ENDPOINT-10
BEGIN TRANSACTION;
ALTER ENDPOINT E STATE = STARTED;
GO
--! error 574
ROLLBACK;
GO
--! spec ENDPOINT-12
-- Rights.
CREATE LOGIN Kim WITH PASSWORD = 'x';
GRANT CONNECT ON ENDPOINT::E TO Kim; GRANT CONNECT ON ENDPOINT::E TO public;
SELECT class_desc, permission_name, SUSER_NAME(grantee_principal_id) FROM sys.server_permissions WHERE class = 105 ORDER BY 3;
EXECUTE AS LOGIN = 'Kim';
ALTER ENDPOINT E STATE = STARTED;
GO
--! rows
--! ENDPOINT | CONNECT | Kim
--! ENDPOINT | CONNECT | public
--! error 15151
--! spec ENDPOINT-16
REVERT; GRANT ALTER ON ENDPOINT::E TO Kim; EXECUTE AS LOGIN = 'Kim';
ALTER ENDPOINT E STATE = STARTED; DROP ENDPOINT E;
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 15247
REVERT; GRANT CREATE ENDPOINT TO Kim; EXECUTE AS LOGIN = 'Kim';
CREATE ENDPOINT E STATE = STARTED AS TCP (LISTENER_PORT = 4022, LISTENER_IP = ALL) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
SELECT SUSER_NAME(principal_id) FROM sys.endpoints WHERE name = 'E';
REVERT;
GO
--! rows
--! Kim
--! spec ENDPOINT-17
DROP ENDPOINT E;
DROP ENDPOINT E;
GO
--! error 15151
--! spec ENDPOINT-15
CREATE ENDPOINT E AUTHORIZATION Kim AS TCP (LISTENER_IP = ALL) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 5837
--! spec ENDPOINT-3
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR TSQL ();
GO
--! error 40517
--! spec ENDPOINT-18
-- What the endpoint authenticates by stays, in either order of the methods, started or not; another certificate of master may go.
IF NOT EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = '##MS_DatabaseMasterKey##') CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!';
CREATE CERTIFICATE Held WITH SUBJECT = 'Held'; CREATE CERTIFICATE Free WITH SUBJECT = 'Free';
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE Held);
DROP CERTIFICATE Free;
DROP CERTIFICATE Held;
GO
--! error 15352
ALTER ENDPOINT E STATE = STARTED FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS CERTIFICATE Held);
DROP CERTIFICATE Held;
GO
--! error 15352
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE HELD);
DROP CERTIFICATE held;
GO
--! error 15352
ALTER CERTIFICATE Held REMOVE PRIVATE KEY;
GO
--! error 28055
ALTER CERTIFICATE Held WITH PRIVATE KEY (ENCRYPTION BY PASSWORD = 'Strong1!');
GO
--! error 28055
ALTER CERTIFICATE Held WITH ACTIVE FOR BEGIN_DIALOG = OFF;
SELECT pvt_key_encryption_type FROM sys.certificates WHERE name = 'Held';
GO
--! rows
--! MK
ALTER ENDPOINT E FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
ALTER CERTIFICATE Held REMOVE PRIVATE KEY;
DROP CERTIFICATE Held;
DROP ENDPOINT E;
SELECT COUNT(*) FROM sys.certificates WHERE name = 'Held';
GO
--! rows
--! 0
--! spec CERT-18
