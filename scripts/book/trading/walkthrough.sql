-- The trading application with five orders, one for each thing that can happen to an order, step by step.

:r setup.sql

-- A good order: acknowledged, and both sides end.
USE Trader1;
GO
EXECUTE dbo.submitOrder 1001, N'TR-0001', N'IBM.N', N'B', 100, 88.10;
GO
WAITFOR DELAY '00:00:02';
GO
SELECT order_number, status, ack_id, refusal_code,
       CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END AS conversation
FROM dbo.orders;
SELECT order_id, customer, RICCODE, side, volume, price FROM DMBrokerage.dbo.trades;
GO
--! rows
--! 1001 | acknowledged | 1 | NULL | ended
--! rows
--! 1001 | TR-0001 | IBM.N | B | 100 | 88.10
SELECT COUNT(*) AS endpoints FROM Trader1.sys.conversation_endpoints;
SELECT RTRIM(state) AS state FROM DMBrokerage.sys.conversation_endpoints;
GO
--! rows
--! 0
--! rows
--! CD

-- An instrument that the brokerage does not know: refused by its procedure.
EXECUTE dbo.submitOrder 1002, N'TR-0002', N'YUKN.O', N'B', 50, 12.00;
-- The same order number again, for another instrument: refused by the key of the trades table.
EXECUTE dbo.submitOrder 1001, N'TR-0001', N'MSFT.O', N'S', 200, 26.35;
-- XML that is none: refused by the broker before the procedure sees it.
EXECUTE dbo.submitOrder 1003, N'TR-0003', N'GE.N', N'B', 75, 31.20,
    N'<TradeEntry><RICCODE>GE.N</RICCODE><OrderID>1003</OrderID>';
-- And a good one behind them: none of the three has stopped the queue.
EXECUTE dbo.submitOrder 1004, N'TR-0001', N'KO.N', N'S', 300, 50.75;
GO
WAITFOR DELAY '00:00:02';
GO
SELECT submission, order_number, symbol, status, refusal_code,
       CASE WHEN ended_at IS NULL THEN 'open' ELSE 'ended' END AS conversation
FROM dbo.orders
ORDER BY submission;
GO
--! rows
--! 1 | 1001 | IBM.N | acknowledged | NULL | ended
--! 2 | 1002 | YUKN.O | refused | 101 | ended
--! 3 | 1001 | MSFT.O | refused | 102 | ended
--! 4 | 1003 | GE.N | refused | -9615 | ended
--! 5 | 1004 | KO.N | acknowledged | NULL | ended

SELECT refusal_reason FROM dbo.orders WHERE refusal_code > 0 ORDER BY refusal_code;
GO
--! rows
--! Unknown instrument YUKN.O.
--! Order 1001 was entered before.

SELECT order_id, RICCODE, volume FROM DMBrokerage.dbo.trades ORDER BY order_id;
GO
--! rows
--! 1001 | IBM.N | 100
--! 1004 | KO.N | 300

-- Both queues are on and empty, and no conversation is open on either side.
SELECT is_receive_enabled FROM DMBrokerage.sys.service_queues WHERE name = N'tradeEntryQueue';
SELECT (SELECT COUNT(*) FROM Trader1.sys.conversation_endpoints WHERE state <> 'CD') AS trader_open,
       (SELECT COUNT(*) FROM DMBrokerage.sys.conversation_endpoints WHERE state <> 'CD') AS brokerage_open,
       (SELECT COUNT(*) FROM Trader1.dbo.tradeAckQueue) AS trader_messages,
       (SELECT COUNT(*) FROM DMBrokerage.dbo.tradeEntryQueue) AS brokerage_messages,
       (SELECT COUNT(*) FROM Trader1.sys.transmission_queue) AS unsent;
GO
--! rows
--! 1
--! rows
--! 0 | 0 | 0 | 0 | 0
