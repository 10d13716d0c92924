-- Snippet in the section on routes: the syntax of CREATE ROUTE, every option used.
-- Everything here stays in the catalog: no message is sent, so no address has to exist.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE USER clerk WITHOUT LOGIN;
GO

-- The one route that a new database has: any service, looked for in this instance.
SELECT name, remote_service_name, broker_instance, lifetime, address FROM sys.routes;
GO
--! rows
--! AutoCreatedLocal | NULL | NULL | NULL | LOCAL

-- one service, one host
CREATE ROUTE byService
    WITH SERVICE_NAME = '//www.develop.com/DMBrokerage/TradeEntryService',
    ADDRESS = 'TCP://DMBroker:4022';

-- one copy of the service, for ten minutes, with an owner
CREATE ROUTE byInstance AUTHORIZATION clerk
    WITH SERVICE_NAME = '//www.develop.com/DMBrokerage/TradeEntryService',
    BROKER_INSTANCE = 'E7044BCF-CFFF-4526-810B-5A33EB763D0B',
    LIFETIME = 600,
    ADDRESS = 'TCP://DMBroker:4022';

-- a mirrored database: both partners' addresses
CREATE ROUTE mirrored
    WITH SERVICE_NAME = '//www.develop.com/DMBrokerage/Archive',
    BROKER_INSTANCE = '93B2D4F5-1D32-44F8-9D2A-6D7A4B5C9E01',
    ADDRESS = 'TCP://DMBroker:4022',
    MIRROR_ADDRESS = 'TCP://DMBroker2:4022';

-- this instance, said aloud
CREATE ROUTE athome WITH SERVICE_NAME = 'enterTrade', ADDRESS = 'LOCAL';

-- the address is in the name of the service
CREATE ROUTE byName WITH ADDRESS = 'TRANSPORT';
GO

SELECT name, USER_NAME(principal_id) AS owner, remote_service_name, broker_instance,
       CASE WHEN lifetime IS NULL THEN N'for ever'
            WHEN DATEDIFF(second, GETUTCDATE(), lifetime) BETWEEN 590 AND 600 THEN N'ten minutes'
            ELSE N'?' END AS lives,
       address, mirror_address
FROM sys.routes
WHERE name <> N'AutoCreatedLocal'
ORDER BY name;
GO
--! rows
--! athome | dbo | enterTrade | NULL | for ever | LOCAL | NULL
--! byInstance | clerk | //www.develop.com/DMBrokerage/TradeEntryService | E7044BCF-CFFF-4526-810B-5A33EB763D0B | ten minutes | TCP://DMBroker:4022 | NULL
--! byName | dbo | NULL | NULL | for ever | TRANSPORT | NULL
--! byService | dbo | //www.develop.com/DMBrokerage/TradeEntryService | NULL | for ever | TCP://DMBroker:4022 | NULL
--! mirrored | dbo | //www.develop.com/DMBrokerage/Archive | 93B2D4F5-1D32-44F8-9D2A-6D7A4B5C9E01 | for ever | TCP://DMBroker:4022 | TCP://DMBroker2:4022

-- What cannot be meant is refused.
-- an instance of which service?
CREATE ROUTE wrong WITH BROKER_INSTANCE = 'E7044BCF-CFFF-4526-810B-5A33EB763D0B', ADDRESS = 'LOCAL';
GO
--! error 9662
-- mirrored, but which database?
CREATE ROUTE wrong WITH SERVICE_NAME = 'x', ADDRESS = 'TCP://a:4022', MIRROR_ADDRESS = 'TCP://b:4022';
GO
--! error 9661
-- not an address
CREATE ROUTE wrong WITH SERVICE_NAME = 'x', ADDRESS = 'DMBroker';
GO
--! error 9744
-- the name of the service is to hold the address, so it cannot be fixed
CREATE ROUTE wrong WITH SERVICE_NAME = 'x', ADDRESS = 'TRANSPORT';
GO
--! error 9745

ALTER ROUTE byService WITH ADDRESS = 'TCP://DMBroker:4023';
DROP ROUTE byInstance;
SELECT name, address FROM sys.routes WHERE name LIKE N'by%' ORDER BY name;
GO
--! rows
--! byName | TRANSPORT
--! byService | TCP://DMBroker:4023
