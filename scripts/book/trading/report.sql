-- The account: what was sent, what came of it, and whether both sides are done. Each query's first comment line is its
-- title in the demo's output.

-- Orders by outcome
SELECT status, COUNT(*) AS orders, SUM(quantity) AS shares, SUM(quantity * price) AS amount
FROM Trader1.dbo.orders
GROUP BY status
ORDER BY status;
GO

-- Refused orders, and why
SELECT submission, order_number, account, symbol, refusal_code AS code, refusal_reason AS reason
FROM Trader1.dbo.orders
WHERE status = N'refused'
ORDER BY submission;
GO

-- Orders without an answer
SELECT submission, order_number, account, symbol
FROM Trader1.dbo.orders
WHERE status = N'sent'
ORDER BY submission;
GO

-- Most traded instruments at the brokerage
SELECT TOP (5) t.RICCODE, i.company, COUNT(*) AS trades, SUM(t.volume) AS shares,
       SUM(CASE t.side WHEN N'B' THEN t.volume ELSE -t.volume END) AS bought_less_sold
FROM DMBrokerage.dbo.trades AS t
JOIN DMBrokerage.dbo.instruments AS i ON i.RICCODE = t.RICCODE
GROUP BY t.RICCODE, i.company
ORDER BY SUM(t.volume) DESC, t.RICCODE;
GO

-- Do both books agree?
SELECT (SELECT COUNT(*) FROM Trader1.dbo.orders WHERE status = N'acknowledged') AS acknowledged,
       (SELECT COUNT(*) FROM DMBrokerage.dbo.trades) AS traded,
       (SELECT COUNT(*)
        FROM Trader1.dbo.orders AS o
        JOIN DMBrokerage.dbo.trades AS t ON t.order_id = o.order_number AND t.ack_id = o.ack_id
        WHERE o.status = N'acknowledged' AND o.quantity = t.volume AND o.price = t.price) AS in_both;
GO

-- Both sides ended?
SELECT N'Trader1' AS [database],
       (SELECT COUNT(*) FROM Trader1.sys.conversation_endpoints WHERE state <> 'CD') AS open_dialogs,
       (SELECT COUNT(*) FROM Trader1.dbo.tradeAckQueue) AS unread,
       (SELECT COUNT(*) FROM Trader1.sys.transmission_queue) AS unsent
UNION ALL
SELECT N'DMBrokerage',
       (SELECT COUNT(*) FROM DMBrokerage.sys.conversation_endpoints WHERE state <> 'CD'),
       (SELECT COUNT(*) FROM DMBrokerage.dbo.tradeEntryQueue),
       (SELECT COUNT(*) FROM DMBrokerage.sys.transmission_queue);
GO
