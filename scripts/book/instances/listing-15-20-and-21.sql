-- Listings 15-20 and 15-21: the two machines know each other by certificates that they have exchanged as files.
-- Corrected: WITH PRIVATE KEY (..., DECRYPTION BY PASSWORD = ...); the owner of the own certificate is the user dbo, that
-- of the other a user of master for the login; endpoints name the certificates, and CONNECT is granted.

:r common/machines.sql
:r common/certificate-files.sql
:r common/exchanged-certificates.sql
:r common/routes.sql
GRANT SEND ON SERVICE::[//www.develop.com/DMBrokerage/TradeEntryService] TO public;
GO
USE master;
GO
SELECT name, USER_NAME(principal_id) AS owner, RTRIM(pvt_key_encryption_type) AS private_key
FROM sys.certificates
WHERE name LIKE N'%Cert';
GO
--! rows unordered
--! DMBrokerCert | dbo | MK
--! RemoteTraderCert | Tradersa | NA

:setvar order Order1
:r common/send-plain.sql
--! advance 10s
SELECT state_desc, principal_name, authentication_method, encryption_algorithm_desc
FROM sys.dm_broker_connections
WHERE is_accept = 0;
GO
--! rows
--! LOGGED_IN | DMBrokersa | CERTIFICATE | AES
--! instance DMBroker
SELECT state_desc, principal_name, authentication_method FROM sys.dm_broker_connections WHERE is_accept = 1;
SELECT CAST(message_body AS xml) AS body FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! LOGGED_IN | Tradersa | CERTIFICATE
--! rows
--! <id>Order1</id>
--! trace Audit Broker Login Login Success


-- "The certificates will be used just because they exist in the master database": without the other one's, nobody comes in.
USE master;
GO
DROP CERTIFICATE RemoteTraderCert;
GO
:setvar order Order2
:r common/send-plain.sql
--! advance 10s
SELECT COUNT(*) AS waiting FROM Trader1.sys.transmission_queue;
GO
--! rows
--! 1
--! instance DMBroker
--! log 28047
--! trace Audit Broker Login Authentication Failure
SELECT COUNT(*) AS messages FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! 1
