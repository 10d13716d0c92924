-- The two machines of the chapter, each with its database, queue and service. Nothing leads from one to the other yet.
--! instance Trader
:setvar database Trader1
:r types.sql
CREATE QUEUE tradeAckQueue WITH STATUS = ON;
CREATE SERVICE enterTrade ON QUEUE tradeAckQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO
--! instance DMBroker
:setvar database DMBrokerage
:r types.sql
CREATE QUEUE tradeEntryQueue WITH STATUS = ON;
CREATE SERVICE [//www.develop.com/DMBrokerage/TradeEntryService]
    ON QUEUE tradeEntryQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO
