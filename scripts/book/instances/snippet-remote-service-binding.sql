-- Snippet in the section on dialog security: remote service bindings between the two machines; full security, then
-- anonymous. The queues have the activated programs of listings 15-18 and 15-19.
-- Corrected: the clause ON CONTRACT was dropped before the release.

:r common/machines.sql
:r common/open-endpoints.sql
:r common/routes.sql
:r common/certificate-files.sql

-- BEGIN DIALOG asks for encryption unless told otherwise, and that needs a binding.
--! instance Trader
:r ../common/send-trade-entry.sql
--! advance 10s
SELECT to_service_name, LEFT(transmission_status, 51) AS status FROM Trader1.sys.transmission_queue;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeEntryService | *

-- Certificates for dialogs are in the databases: the own one owned by the service's owner, the other by a user for it.
USE Trader1;
GO
CREATE CERTIFICATE TraderDialogs
    FROM FILE = 'C:\Certs\Trader.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\Trader.pvk', DECRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
CREATE USER brokerage WITHOUT LOGIN;
CREATE CERTIFICATE BrokerageDialogs AUTHORIZATION brokerage FROM FILE = 'C:\Certs\DMBroker.cer';
CREATE REMOTE SERVICE BINDING ToTradeEntry
    AUTHORIZATION dbo
    TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    WITH USER = brokerage;
GO
--! instance DMBroker
USE DMBrokerage;
GO
CREATE CERTIFICATE BrokerageDialogs
    FROM FILE = 'C:\Certs\DMBroker.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\DMBroker.pvk', DECRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
CREATE USER trader WITHOUT LOGIN;
CREATE CERTIFICATE TraderDialogs AUTHORIZATION trader FROM FILE = 'C:\Certs\Trader.cer';
GRANT SEND ON SERVICE::[//www.develop.com/DMBrokerage/TradeEntryService] TO trader;
CREATE TABLE dbo.tradeEntries (conversation_group_id uniqueidentifier NOT NULL, body xml NOT NULL);
GO
:r ../../activated/tradeEntryProc.sql
ALTER QUEUE tradeEntryQueue WITH ACTIVATION
    (STATUS = ON, PROCEDURE_NAME = dbo.tradeEntryProc, MAX_QUEUE_READERS = 2, EXECUTE AS SELF);
GO
--! advance 2m
SELECT body FROM dbo.tradeEntries;
SELECT USER_NAME(far_principal_id) AS sender, CASE WHEN inbound_session_key_identifier = '00000000-0000-0000-0000-000000000000' THEN 'plain' ELSE 'secret' END AS words
FROM sys.conversation_endpoints;
GO
--! rows
--! <id>Order1</id>
--! rows
--! trader | secret
--! instance Trader
SELECT message_type_name FROM Trader1.dbo.tradeAckQueue ORDER BY queuing_order;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeAck
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog

-- Anonymous: encrypted, and the initiator comes as public, which may not send.
ALTER REMOTE SERVICE BINDING ToTradeEntry WITH ANONYMOUS = ON;
GO
:r ../common/send-trade-entry.sql
--! advance 10s
--! spec BINDING-14
SELECT CAST(message_body AS xml).value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int') AS code
FROM Trader1.dbo.tradeAckQueue
WHERE message_type_name LIKE N'%/Error';
GO
--! rows
--! -8494
--! instance DMBroker
GRANT SEND ON SERVICE::[//www.develop.com/DMBrokerage/TradeEntryService] TO public;
GO
--! instance Trader
:r ../common/send-trade-entry.sql
--! advance 10s
--! instance DMBroker
--! spec BINDING-14
SELECT COUNT(*) AS entries FROM dbo.tradeEntries;
SELECT far_principal_id FROM sys.conversation_endpoints WHERE far_principal_id = -1;
GO
--! rows
--! 2
--! rows
--! -1
