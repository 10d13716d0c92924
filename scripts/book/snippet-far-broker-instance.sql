-- Snippets after listing 15-12: when does the broker decide which database it talks to?

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE Trader1;
GO
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade
    TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
GO

-- all there is to know about the endpoint (the columns differ between releases)
SELECT * FROM sys.conversation_endpoints;
GO

-- not yet decided
SELECT far_broker_instance FROM sys.conversation_endpoints;
GO
--! rows
--! NULL

-- The first message decides.
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM sys.conversation_endpoints;
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (N'<id>Order1</id>');
GO
WAITFOR DELAY '00:00:01';
GO
SELECT d.name
FROM sys.conversation_endpoints AS e
JOIN sys.databases AS d ON CAST(d.service_broker_guid AS nvarchar(36)) = e.far_broker_instance;
GO
--! rows
--! DMBrokerage
