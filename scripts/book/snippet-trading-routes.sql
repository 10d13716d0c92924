-- Snippet in the section on routes: the routes of the trading example between the machines Trader and DMBroker.
-- Corrected: the service name in the string had the square brackets of the identifier in it (they would never match),
-- and one of the USE statements lacked its GO.
-- One instance: there is no machine DMBroker and no endpoint, so the message waits in the transmission queue, until
-- the route is turned to this instance.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE Trader1;
GO
CREATE ROUTE TradeEntry
    WITH SERVICE_NAME = '//www.develop.com/DMBrokerage/TradeEntryService',
    ADDRESS = 'TCP://DMBroker:4022';
GO
-- acknowledgements and answers need the way back
USE DMBrokerage;
GO
CREATE ROUTE EnterTrade
    WITH SERVICE_NAME = 'enterTrade',
    ADDRESS = 'TCP://Trader:4022';
GO

SELECT name, remote_service_name, address FROM Trader1.sys.routes WHERE name <> N'AutoCreatedLocal'
UNION ALL
SELECT name, remote_service_name, address FROM DMBrokerage.sys.routes WHERE name <> N'AutoCreatedLocal'
ORDER BY name;
GO
--! rows
--! EnterTrade | enterTrade | TCP://Trader:4022
--! TradeEntry | //www.develop.com/DMBrokerage/TradeEntryService | TCP://DMBroker:4022

-- A route that names the service goes before the one that takes any, although the service is in this instance.
:r common/send-trade-entry.sql

SELECT to_service_name, from_service_name, message_type_name, message_sequence_number
FROM Trader1.sys.transmission_queue;
SELECT COUNT(*) AS arrived FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeEntryService | enterTrade | //www.develop.com/DMBrokerage/TradeEntry | 0
--! rows
--! 0

-- Turn both routes to this instance. Waiting messages are classified again every so often.
USE Trader1;
GO
ALTER ROUTE TradeEntry WITH ADDRESS = 'LOCAL';
GO
USE DMBrokerage;
GO
ALTER ROUTE EnterTrade WITH ADDRESS = 'LOCAL';
GO
WAITFOR DELAY '00:00:20';
GO
SELECT COUNT(*) AS waiting FROM Trader1.sys.transmission_queue;
SELECT CAST(message_body AS xml) AS body FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! 0
--! rows
--! <id>Order1</id>
