-- Snippets on the broker's TCP port and on transport security.
-- Corrected: sp_configure 'broker TCP listen port', the registry value TransportEnabled and the authentication levels
-- 1 to 3 were pre-release; the released product has CREATE ENDPOINT for all of it. There is no level "not
-- supported": ENCRYPTION may be switched off, authentication not.
-- One instance: the endpoint stays stopped, nothing listens and nothing is sent.

USE master;
GO
CREATE ENDPOINT TradingEndpoint
    STATE = STOPPED
    AS TCP (LISTENER_PORT = 4022, LISTENER_IP = ALL)
    FOR SERVICE_BROKER (
        AUTHENTICATION = WINDOWS,
        ENCRYPTION = REQUIRED ALGORITHM AES,
        MESSAGE_FORWARDING = DISABLED);
GO

-- 3: Windows authentication by negotiation; 2: encryption required, by AES; forwarding off, its limit 10 MB.
SELECT b.name, b.state_desc, t.port, b.connection_auth, b.encryption_algorithm, b.is_message_forwarding_enabled,
       b.message_forwarding_size
FROM sys.service_broker_endpoints AS b
JOIN sys.tcp_endpoints AS t ON t.endpoint_id = b.endpoint_id;
GO
--! rows
--! TradingEndpoint | STOPPED | 4022 | 3 | 2 | 0 | 10

-- A trusted network: no encryption. And this instance now passes messages on for others.
ALTER ENDPOINT TradingEndpoint
    FOR SERVICE_BROKER (
        ENCRYPTION = DISABLED,
        MESSAGE_FORWARDING = ENABLED,
        MESSAGE_FORWARD_SIZE = 20);
GO
SELECT encryption_algorithm, is_message_forwarding_enabled, message_forwarding_size
FROM sys.service_broker_endpoints;
GO
--! rows
--! 0 | 1 | 20

DROP ENDPOINT TradingEndpoint;
GO
SELECT COUNT(*) AS endpoints FROM sys.service_broker_endpoints;
GO
--! rows
--! 0
