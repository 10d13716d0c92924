-- The routes between the two machines, in the databases of the services, both ways.
--! instance Trader
USE Trader1;
GO
CREATE ROUTE TradeEntry
    WITH SERVICE_NAME = '//www.develop.com/DMBrokerage/TradeEntryService',
    ADDRESS = 'TCP://DMBroker:4022';
GO
--! instance DMBroker
USE DMBrokerage;
GO
CREATE ROUTE EnterTrade
    WITH SERVICE_NAME = 'enterTrade',
    ADDRESS = 'TCP://Trader:4022';
GO
