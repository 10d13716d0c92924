-- One server of the scalability paper, $(me), with the endpoint of its listing (port 5114, by certificate, not
-- encrypted, started), a database, $(database), and a certificate for dialogs. Its two certificates are handed out as files.
-- The identifier of the database, which the paper fetches through a linked server, is the subject of the latter.
-- Corrected: a master key in each database.
USE master;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
CREATE CERTIFICATE [$(me)_EP] WITH SUBJECT = '$(me) endpoint', EXPIRY_DATE = '20350101';
BACKUP CERTIFICATE [$(me)_EP] TO FILE = '$(me)_EP.cer';
GO
CREATE ENDPOINT Endpoint_SRPerf_1
    STATE = STARTED
    AS TCP (LISTENER_PORT = 5114, LISTENER_IP = ALL)
    FOR SERVICE_BROKER (
        MESSAGE_FORWARDING = DISABLED,
        AUTHENTICATION = CERTIFICATE [$(me)_EP],
        ENCRYPTION = DISABLED);
GO
CREATE DATABASE $(database);
GO
USE $(database);
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'$(database): a key for the examples, 1';
DECLARE @statement nvarchar(max);
SELECT @statement = N'CREATE CERTIFICATE [$(me)_Dialogs] WITH EXPIRY_DATE = ''20350101'', SUBJECT = ''' + CAST(service_broker_guid AS nvarchar(36)) + N''''
FROM sys.databases
WHERE name = N'$(database)';
EXEC sp_executesql @statement;
BACKUP CERTIFICATE [$(me)_Dialogs] TO FILE = '$(me)_Dialogs.cer';
GO
