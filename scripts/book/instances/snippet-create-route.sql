-- Snippet in the section on routes: CREATE ROUTE with every option, and where messages go by it. The service is on the
-- machine DMBroker, whose copy stands by as DMBroker2.

:r common/machines.sql
:r common/open-endpoints.sql
GRANT SEND ON SERVICE::[//www.develop.com/DMBrokerage/TradeEntryService] TO public;
SELECT service_broker_guid FROM sys.databases WHERE name = N'DMBrokerage';
GO
--! rows
--! {broker}
USE DMBrokerage;
GO
CREATE ROUTE EnterTrade WITH SERVICE_NAME = 'enterTrade', ADDRESS = 'TCP://Trader:4022';
GO

-- For ten minutes, then the route is gone and the next message waits.
--! instance Trader
USE Trader1;
GO
ALTER ROUTE AutoCreatedLocal WITH SERVICE_NAME = 'enterTrade';
CREATE ROUTE forAWhile
    WITH SERVICE_NAME = '//www.develop.com/DMBrokerage/TradeEntryService',
    LIFETIME = 600,
    ADDRESS = 'TCP://DMBroker:4022';
GO
:setvar order Order1
:r common/send-plain.sql
--! advance 10s
SELECT COUNT(*) AS waiting FROM Trader1.sys.transmission_queue;
-- the first acknowledgement has told which copy of the service it is
SELECT far_broker_instance FROM Trader1.sys.conversation_endpoints;
GO
--! rows
--! 0
--! rows
--! {broker}
--! advance 10m
:setvar order Order2
:r common/send-plain.sql
--! advance 10s
SELECT LEFT(transmission_status, 27) AS status FROM Trader1.sys.transmission_queue;
GO
--! rows
--! The target service name cou

-- A route to one copy of the service counts for dialogs with this copy; the mirror is asked where the first address
-- cannot be reached.
DECLARE @broker nvarchar(36), @statement nvarchar(max);
SELECT @broker = far_broker_instance FROM Trader1.sys.conversation_endpoints WHERE far_broker_instance IS NOT NULL;
SET @statement = N'CREATE ROUTE mirrored
    WITH SERVICE_NAME = ''//www.develop.com/DMBrokerage/TradeEntryService'',
    BROKER_INSTANCE = ''' + @broker + N''',
    ADDRESS = ''TCP://DMBroker2:4022'',
    MIRROR_ADDRESS = ''TCP://DMBroker:4022''';
EXEC sp_executesql @statement;
GO
--! advance 5m
SELECT COUNT(*) AS waiting FROM Trader1.sys.transmission_queue;
GO
--! rows
--! 0

-- TRANSPORT: the name of the service holds the address.
--! instance DMBroker
USE DMBrokerage;
GO
CREATE QUEUE archiveQueue;
CREATE SERVICE [tcp://DMBroker:4022/Archive] ON QUEUE archiveQueue ([DEFAULT]);
GRANT SEND ON SERVICE::[tcp://DMBroker:4022/Archive] TO public;
GO
--! instance Trader
USE Trader1;
GO
CREATE ROUTE byName WITH ADDRESS = 'TRANSPORT';
GO
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE enterTrade TO SERVICE 'tcp://DMBroker:4022/Archive' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @dh (N'keep this');
GO
--! advance 10s
--! instance DMBroker
SELECT CAST(message_body AS nvarchar(20)) AS body FROM DMBrokerage.dbo.archiveQueue;
SELECT CAST(message_body AS xml) AS body FROM DMBrokerage.dbo.tradeEntryQueue ORDER BY queuing_order;
GO
--! rows
--! keep this
--! rows
--! <id>Order1</id>
--! <id>Order2</id>
