-- Snippets on transport security, with two machines: an endpoint's encryption has to suit the other one's.
-- Corrected: CREATE ENDPOINT in place of the pre-release settings. There is no level "not supported": ENCRYPTION may be
-- switched off, authentication not.

:r common/machines.sql
:r common/routes.sql
GRANT SEND ON SERVICE::[//www.develop.com/DMBrokerage/TradeEntryService] TO public;
GO
CREATE ENDPOINT TradingEndpoint
    STATE = STARTED
    AS TCP (LISTENER_PORT = 4022, LISTENER_IP = ALL)
    FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = REQUIRED ALGORITHM AES, MESSAGE_FORWARDING = DISABLED);
GO
--! instance Trader
CREATE ENDPOINT TradingEndpoint
    STATE = STARTED
    AS TCP (LISTENER_PORT = 4022, LISTENER_IP = ALL)
    FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = DISABLED);
GO
--! spec ENDPOINT-20
-- One demands what the other refuses.
:setvar order Order1
:r common/send-plain.sql
--! advance 10s
--! instance DMBroker
--! trace Audit Broker Login Negotiate Failure
SELECT COUNT(*) AS messages FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! 0

-- A trusted network: no encryption on either side.
ALTER ENDPOINT TradingEndpoint FOR SERVICE_BROKER (ENCRYPTION = DISABLED);
GO
--! advance 2m
SELECT CAST(message_body AS xml) AS body FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! <id>Order1</id>
--! instance Trader
:setvar order Order2
:r common/send-plain.sql
--! advance 5s
SELECT encryption_algorithm_desc, principal_name FROM sys.dm_broker_connections WHERE is_accept = 0;
GO
--! rows
--! NONE | DOMAIN\service

-- Stopped, it lets nobody in; a message that is sent meanwhile waits.
--! instance DMBroker
ALTER ENDPOINT TradingEndpoint STATE = STOPPED;
GO
--! advance 2m
:setvar order Order3
:r common/send-plain.sql
--! advance 5s
SELECT COUNT(*) AS waiting, COUNT(NULLIF(transmission_status, N'')) AS with_a_reason FROM Trader1.sys.transmission_queue;
GO
--! rows
--! 1 | 1
--! instance DMBroker
ALTER ENDPOINT TradingEndpoint STATE = STARTED;
GO
--! advance 2m
SELECT CAST(message_body AS xml) AS body FROM DMBrokerage.dbo.tradeEntryQueue ORDER BY queuing_order;
GO
--! rows
--! <id>Order1</id>
--! <id>Order2</id>
--! <id>Order3</id>
