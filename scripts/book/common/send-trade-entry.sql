-- Sends one trade entry from Trader1 (the statements of listing 15-14).

USE Trader1;
GO
DECLARE @dh uniqueidentifier;
DECLARE @msgBody xml = N'<id>Order1</id>';

BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade
    TO SERVICE N'//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];

SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (@msgBody);
GO
