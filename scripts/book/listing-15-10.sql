-- Listing 15-10: the two services of the trading example, one per database, and what they tie together.

:r common/databases.sql
:r common/messages.sql

USE Trader1;
GO
CREATE QUEUE tradeAckQueue WITH STATUS = ON;
GO
-- The contract list says what a service accepts as a target. The trader only begins conversations, so the list is
-- not needed here; the book gives it all the same and it does no harm.
CREATE SERVICE enterTrade
    ON QUEUE tradeAckQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO

USE DMBrokerage;
GO
CREATE QUEUE tradeEntryQueue WITH STATUS = ON;
GO
CREATE SERVICE [//www.develop.com/DMBrokerage/TradeEntryService]
    ON QUEUE tradeEntryQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO

SELECT s.name, q.name AS queue_name, c.name AS contract
FROM Trader1.sys.services AS s
JOIN Trader1.sys.service_queues AS q ON q.object_id = s.service_queue_id
JOIN Trader1.sys.service_contract_usages AS u ON u.service_id = s.service_id
JOIN Trader1.sys.service_contracts AS c ON c.service_contract_id = u.service_contract_id
WHERE q.is_ms_shipped = 0;

SELECT s.name, q.name AS queue_name, c.name AS contract
FROM DMBrokerage.sys.services AS s
JOIN DMBrokerage.sys.service_queues AS q ON q.object_id = s.service_queue_id
JOIN DMBrokerage.sys.service_contract_usages AS u ON u.service_id = s.service_id
JOIN DMBrokerage.sys.service_contracts AS c ON c.service_contract_id = u.service_contract_id
WHERE q.is_ms_shipped = 0;
GO
--! rows
--! enterTrade | tradeAckQueue | //www.develop.com/DMBrokerage/EnterTrade
--! rows
--! //www.develop.com/DMBrokerage/TradeEntryService | tradeEntryQueue | //www.develop.com/DMBrokerage/EnterTrade
