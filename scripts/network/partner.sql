-- $(me) comes to know $(you): who may connect, where its service is, who speaks for it in dialogs. Its two certificates are there as files.
USE master;
CREATE LOGIN $(you) WITH PASSWORD = 'Demo-1-Password';
CREATE USER $(you) FOR LOGIN $(you);
CREATE CERTIFICATE $(you)Connections AUTHORIZATION $(you) FROM FILE = '$(you)Connections.cer';
GO
CREATE ENDPOINT Broker STATE = STARTED
    AS TCP (LISTENER_PORT = 4022)
    FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE $(me)Connections, ENCRYPTION = REQUIRED ALGORITHM AES);
GRANT CONNECT ON ENDPOINT::Broker TO $(you);
GO
USE Trading;
CREATE USER $(you) WITHOUT LOGIN;
CREATE CERTIFICATE $(you)Dialogs AUTHORIZATION $(you) FROM FILE = '$(you)Dialogs.cer';
CREATE ROUTE To$(you) WITH SERVICE_NAME = '//Trading/$(you)', ADDRESS = 'TCP://$(you):4022';
CREATE REMOTE SERVICE BINDING To$(you) TO SERVICE '//Trading/$(you)' WITH USER = $(you);
GRANT SEND ON SERVICE::[//Trading/$(me)] TO $(you);
GO
