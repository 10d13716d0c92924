-- Listing 15-21: the public key of the other instance, owned by a login made for it.
-- Corrected: a certificate belongs to a user of the database, so the login gets a user in master.
-- One instance: the file with DMBroker's public key does not exist, so the listing's statement fails. A certificate
-- made here, with its private key taken away, is what the file would have brought.

USE master;
GO
CREATE LOGIN DMBrokersa WITH PASSWORD = 'A long pass phrase, 4 DMBroker';
CREATE USER DMBrokersa FOR LOGIN DMBrokersa;
GO
CREATE CERTIFICATE RemoteDMBrokerCert
    AUTHORIZATION DMBrokersa
    FROM FILE = 'C:\Certs\DMBroker.cer';
GO
--! error 15208

CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
GO
CREATE CERTIFICATE RemoteDMBrokerCert
    AUTHORIZATION DMBrokersa
    WITH SUBJECT = 'DMBroker', EXPIRY_DATE = '20350101';
ALTER CERTIFICATE RemoteDMBrokerCert REMOVE PRIVATE KEY;
GO

SELECT name, USER_NAME(principal_id) AS owner, RTRIM(pvt_key_encryption_type) AS private_key
FROM sys.certificates
WHERE name = N'RemoteDMBrokerCert';
GO
--! rows
--! RemoteDMBrokerCert | DMBrokersa | NA

-- The text stops at the certificates. In the released product the other instance also needs leave to connect to the
-- endpoint; this one is stopped, so nothing listens.
CREATE CERTIFICATE TraderCert AUTHORIZATION dbo WITH SUBJECT = 'Trader', EXPIRY_DATE = '20350101';
GO
CREATE ENDPOINT TradingEndpoint
    STATE = STOPPED
    AS TCP (LISTENER_PORT = 4022)
    FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE TraderCert, ENCRYPTION = REQUIRED ALGORITHM AES);
GO
GRANT CONNECT ON ENDPOINT::TradingEndpoint TO DMBrokersa;
GO
SELECT e.name, e.state_desc, e.connection_auth, c.name AS certificate
FROM sys.service_broker_endpoints AS e
JOIN sys.certificates AS c ON c.certificate_id = e.certificate_id;
GO
--! rows
--! TradingEndpoint | STOPPED | 4 | TraderCert
