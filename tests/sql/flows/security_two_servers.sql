-- The set-up of two servers as it is published, played on one: master keys, certificates that are exchanged by files, an endpoint with
-- certificate authentication, logins and users without login for them, routes, remote service bindings, GRANT CONNECT and SEND.
USE master;
GO
CREATE DATABASE InitiatorDB;
CREATE DATABASE TargetDB;
GO
-- 1. transport security
IF NOT EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = '##MS_DatabaseMasterKey##')
    CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'Tr4nsport!';
GO
CREATE CERTIFICATE InitiatorEndpointCert
    WITH SUBJECT = N'Certificate of the initiator''s endpoint', START_DATE = N'01/01/2025', EXPIRY_DATE = N'12/31/2035'
    ACTIVE FOR BEGIN_DIALOG = ON;
GO
BACKUP CERTIFICATE InitiatorEndpointCert TO FILE = N'C:\storedcerts\InitiatorEndpointCert.cer';
GO
CREATE ENDPOINT InstInitiatorEndpoint
STATE = STARTED
AS TCP ( LISTENER_PORT = 4022 , LISTENER_IP = ALL )
FOR SERVICE_BROKER (
    AUTHENTICATION = CERTIFICATE InitiatorEndpointCert,
    ENCRYPTION = SUPPORTED ALGORITHM AES,
    MESSAGE_FORWARDING = DISABLED );
GO
CREATE LOGIN TargetLogin WITH PASSWORD = N'#gh!3A%!1@f';
CREATE USER TargetLoginUser FOR LOGIN TargetLogin;
GO
CREATE CERTIFICATE TargetEndpointCert AUTHORIZATION TargetLoginUser FROM FILE = N'C:\storedcerts\NotThere.cer';
GO
--! error 15208
GRANT CONNECT ON ENDPOINT::InstInitiatorEndpoint TO TargetLogin;
GO
SELECT e.name, e.state_desc, e.type_desc, t.port, b.connection_auth_desc, b.encryption_algorithm_desc, c.name AS cert
FROM sys.service_broker_endpoints b INNER JOIN sys.endpoints e ON e.endpoint_id = b.endpoint_id
INNER JOIN sys.tcp_endpoints t ON t.endpoint_id = e.endpoint_id LEFT JOIN sys.certificates c ON c.certificate_id = b.certificate_id;
SELECT pr.name, pe.state_desc, pe.permission_name FROM sys.server_permissions pe JOIN sys.server_principals pr ON pr.principal_id = pe.grantee_principal_id
WHERE pe.class_desc = 'ENDPOINT' AND pr.name = 'TargetLogin';
GO
--! rows
--! columns name | state_desc | type_desc | port | connection_auth_desc | encryption_algorithm_desc | cert
--! InstInitiatorEndpoint | STARTED | SERVICE_BROKER | 4022 | CERTIFICATE | NONE, AES | InitiatorEndpointCert
--! rows
--! TargetLogin | GRANT | CONNECT
-- 2. the target's database
USE TargetDB;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'T4rget!';
CREATE USER TargetUser WITHOUT LOGIN;
CREATE CERTIFICATE TargetCertificate AUTHORIZATION TargetUser WITH SUBJECT = 'Target Certificate', EXPIRY_DATE = N'20351231';
BACKUP CERTIFICATE TargetCertificate TO FILE = 'C:\storedcerts\TargetCertificate.cer';
GO
CREATE MESSAGE TYPE [//Both/Request] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//Both/Reply] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//Both/Contract] ([//Both/Request] SENT BY INITIATOR, [//Both/Reply] SENT BY TARGET);
CREATE QUEUE InstTargetQueue;
GRANT RECEIVE ON InstTargetQueue TO TargetUser;
CREATE SERVICE [//Tgt/Service] AUTHORIZATION TargetUser ON QUEUE InstTargetQueue ([//Both/Contract]);
GO
-- 3. the initiator's database
USE InitiatorDB
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Init!4tor';
CREATE USER InitiatorUser WITHOUT LOGIN;
CREATE CERTIFICATE InitiatorCertificate AUTHORIZATION InitiatorUser WITH SUBJECT = N'Initiator Certificate', EXPIRY_DATE = N'20351231';
BACKUP CERTIFICATE InitiatorCertificate TO FILE = N'C:\storedcerts\InitiatorCertificate.cer';
CREATE MESSAGE TYPE [//Both/Request] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//Both/Reply] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//Both/Contract] ([//Both/Request] SENT BY INITIATOR, [//Both/Reply] SENT BY TARGET);
CREATE QUEUE InstInitiatorQueue;
GRANT RECEIVE ON InstInitiatorQueue TO InitiatorUser;
CREATE SERVICE [//Ini/Service] AUTHORIZATION InitiatorUser ON QUEUE InstInitiatorQueue;
GO
CREATE USER TargetUser WITHOUT LOGIN;
CREATE CERTIFICATE TargetCertificate AUTHORIZATION TargetUser FROM FILE = N'C:\storedcerts\TargetCertificate.cer';
GO
DECLARE @Cmd NVARCHAR(4000);
SET @Cmd = N'USE InitiatorDB;
CREATE ROUTE InstTargetRoute
WITH SERVICE_NAME =
      N''//Tgt/Service'',
     ADDRESS = N''LOCAL'';';
EXEC (@Cmd);
SET @Cmd = N'USE msdb
CREATE ROUTE InstInitiatorRoute
WITH SERVICE_NAME =
       N''//Ini/Service'',
     ADDRESS = N''LOCAL''';
EXEC (@Cmd);
GO
CREATE REMOTE SERVICE BINDING TargetBinding TO SERVICE N'//Tgt/Service' WITH USER = TargetUser;
GO
-- 4. the target trusts the initiator
USE TargetDB
GO
CREATE USER InitiatorUser WITHOUT LOGIN;
CREATE CERTIFICATE InitiatorCertificate AUTHORIZATION InitiatorUser FROM FILE = N'C:\storedcerts\InitiatorCertificate.cer';
CREATE ROUTE InstInitiatorRoute WITH SERVICE_NAME = N'//Ini/Service', ADDRESS = N'LOCAL';
GRANT SEND ON SERVICE::[//Tgt/Service] TO InitiatorUser;
GO
SELECT c.name, p.name AS owner, c.pvt_key_encryption_type_desc FROM sys.certificates c JOIN sys.database_principals p ON p.principal_id = c.principal_id ORDER BY c.name
GO
--! rows
--! InitiatorCertificate | InitiatorUser | NO_PRIVATE_KEY
--! TargetCertificate | TargetUser | ENCRYPTED_BY_MASTER_KEY
-- 5. the conversation, with ENCRYPTION = ON
USE InitiatorDB;
GO
DECLARE @InitDlgHandle UNIQUEIDENTIFIER;
DECLARE @RequestMsg NVARCHAR(100);
BEGIN TRANSACTION;
BEGIN DIALOG @InitDlgHandle
     FROM SERVICE [//Ini/Service]
     TO SERVICE N'//Tgt/Service'
     ON CONTRACT [//Both/Contract]
     WITH ENCRYPTION = ON;
SELECT @RequestMsg = N'<RequestMsg>Message for Target service.</RequestMsg>';
SEND ON CONVERSATION @InitDlgHandle MESSAGE TYPE [//Both/Request] (@RequestMsg);
COMMIT TRANSACTION;
GO
--! settle
USE TargetDB
SELECT message_type_name, CAST(message_body AS xml) FROM InstTargetQueue;
SELECT e.is_initiator, p.name AS local_principal FROM sys.conversation_endpoints e
JOIN sys.database_principals p ON p.principal_id = e.principal_id;
SELECT COUNT(*) FROM InitiatorDB.sys.transmission_queue;
GO
--! rows
--! //Both/Request | <RequestMsg>Message for Target service.</RequestMsg>
--! rows
--! 0 | TargetUser
--! rows
--! 0
-- 6. take it all down again
USE InitiatorDB;
DROP REMOTE SERVICE BINDING TargetBinding;
DROP ROUTE InstTargetRoute;
DROP SERVICE [//Ini/Service];
DROP CERTIFICATE InitiatorCertificate; DROP CERTIFICATE TargetCertificate;
DROP USER InitiatorUser; DROP USER TargetUser;
DROP MASTER KEY;
GO
USE msdb;
DROP ROUTE InstInitiatorRoute;
GO
USE master;
ALTER ENDPOINT InstInitiatorEndpoint STATE = STOPPED;
REVOKE CONNECT ON ENDPOINT::InstInitiatorEndpoint FROM TargetLogin;
DROP ENDPOINT InstInitiatorEndpoint;
DROP CERTIFICATE InitiatorEndpointCert;
DROP USER TargetLoginUser;
DROP LOGIN TargetLogin;
DROP MASTER KEY;
DROP DATABASE InitiatorDB; DROP DATABASE TargetDB;
SELECT COUNT(*) FROM sys.certificates WHERE name NOT LIKE '##%';
GO
--! rows
--! 0
