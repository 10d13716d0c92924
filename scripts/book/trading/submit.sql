-- Sends one order, as a user would at his screen. Run it after setup.sql, as often as you like: the second time the
-- order number is known already and the brokerage refuses the order.
USE Trader1;
GO
EXECUTE dbo.submitOrder
    @order_number = 5001,
    @account = N'TR-0001',
    @symbol = N'IBM.N',
    @side = N'B',
    @quantity = 100,
    @price = 88.10;
GO
-- The answer takes a moment. The procedures that handle it were started by the broker.
WAITFOR DELAY '00:00:01';
GO
SELECT submission, order_number, status, ack_id, refusal_code, refusal_reason
FROM dbo.orders
WHERE order_number = 5001
ORDER BY submission;
GO
