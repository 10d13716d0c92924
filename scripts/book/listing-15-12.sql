-- Listing 15-12: begin a dialog between the two services of the trading example.
-- Corrected: only the comments and quotes, garbled by the extraction.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE Trader1;
GO
-- receives the handle that the broker makes up
DECLARE @dh uniqueidentifier;

-- Mind the difference: FROM SERVICE names an object of this database, TO SERVICE holds a string that is compared
-- byte by byte with the names of services once the first message is on its way. Brackets inside it would be part of
-- the name.
BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade
    TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];

SELECT CASE WHEN @dh IS NULL THEN 'no handle' ELSE 'a handle' END AS handle;
GO
--! rows
--! a handle

-- One endpoint here, started outbound, and not yet tied to any broker instance.
SELECT RTRIM(state) AS state, state_desc, is_initiator, far_service, far_broker_instance, send_sequence,
       receive_sequence
FROM sys.conversation_endpoints;
GO
--! rows
--! SO | STARTED_OUTBOUND | 1 | //www.develop.com/DMBrokerage/TradeEntryService | NULL | 0 | 0

-- The brokerage has heard of nothing.
SELECT COUNT(*) AS endpoints FROM DMBrokerage.sys.conversation_endpoints;
SELECT COUNT(*) AS messages FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! 0
--! rows
--! 0
