-- Listings 15-20 and 15-21 on both machines: the own certificate from its files, and the other one's public key.
--! instance Trader
USE master;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
CREATE CERTIFICATE TraderCert
    AUTHORIZATION dbo
    FROM FILE = 'C:\Certs\Trader.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\Trader.pvk', DECRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
CREATE LOGIN DMBrokersa WITH PASSWORD = 'A long pass phrase, 4 DMBroker';
CREATE USER DMBrokersa FOR LOGIN DMBrokersa;
CREATE CERTIFICATE RemoteDMBrokerCert AUTHORIZATION DMBrokersa FROM FILE = 'C:\Certs\DMBroker.cer';
GO
--! instance DMBroker
USE master;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
CREATE CERTIFICATE DMBrokerCert
    AUTHORIZATION dbo
    FROM FILE = 'C:\Certs\DMBroker.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\DMBroker.pvk', DECRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
CREATE LOGIN Tradersa WITH PASSWORD = 'A long pass phrase, 4 Trader';
CREATE USER Tradersa FOR LOGIN Tradersa;
CREATE CERTIFICATE RemoteTraderCert AUTHORIZATION Tradersa FROM FILE = 'C:\Certs\Trader.cer';
GO
-- The text stops at the certificates; in the released product endpoints name them, and the other one needs CONNECT.
CREATE ENDPOINT TradingEndpoint
    STATE = STARTED
    AS TCP (LISTENER_PORT = 4022)
    FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE DMBrokerCert, ENCRYPTION = REQUIRED ALGORITHM AES);
GRANT CONNECT ON ENDPOINT::TradingEndpoint TO Tradersa;
GO
--! instance Trader
CREATE ENDPOINT TradingEndpoint
    STATE = STARTED
    AS TCP (LISTENER_PORT = 4022)
    FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE TraderCert, ENCRYPTION = REQUIRED ALGORITHM AES);
GRANT CONNECT ON ENDPOINT::TradingEndpoint TO DMBrokersa;
GO
