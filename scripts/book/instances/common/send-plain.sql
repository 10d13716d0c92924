-- Sends one trade entry, $(order), without dialog security: ENCRYPTION = OFF, and whoever is public at the target may send.
--! instance Trader
USE Trader1;
GO
DECLARE @dh uniqueidentifier;
DECLARE @msgBody xml = N'<id>$(order)</id>';

BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade
    TO SERVICE N'//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
    WITH ENCRYPTION = OFF;

SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (@msgBody);
GO
