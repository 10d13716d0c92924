-- Queues (listing 15-8, but without activation) and services (listing 15-10) of the stock-trading example.
-- Without an activation procedure the messages wait in the queues, where they can be looked at.

USE Trader1;
GO
CREATE QUEUE tradeAckQueue WITH STATUS = ON;
CREATE SERVICE enterTrade ON QUEUE tradeAckQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO
USE DMBrokerage;
GO
CREATE QUEUE tradeEntryQueue WITH STATUS = ON;
CREATE SERVICE [//www.develop.com/DMBrokerage/TradeEntryService]
    ON QUEUE tradeEntryQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO
