-- The trade pipeline without Spark: two entries of one account, answered here by hand as the stream would answer them, and settled by the
-- desk's activated procedure.

:r setup.sql

USE Desk;
GO
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE [//trades/Desk] TO SERVICE '//trades/Brokerage' ON CONTRACT [//trades/EnterTrades] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @dh MESSAGE TYPE [//trades/Entry] (
    N'<TradeEntry><RICCODE>IBM.N</RICCODE><CustomerID>TR-0001</CustomerID><OrderID>1</OrderID><BuySell>B</BuySell><Volume>100</Volume>'
    + N'<Price>88.10</Price><TradedAt>2026-01-05T09:00:00Z</TradedAt></TradeEntry>');
-- Nobody could read this one. The broker takes it all the same: the stream says what is wrong with it.
SEND ON CONVERSATION @dh MESSAGE TYPE [//trades/Entry] (N'<TradeEntry><RICCODE>IBM.N</RICCODE>');
GO
SELECT message_sequence_number, CAST(message_body AS nvarchar(40)) AS begins FROM Brokerage.dbo.entryQueue ORDER BY queuing_order;
GO
--! rows
--! 0 | <TradeEntry><RICCODE>IBM.N</RICCODE><Cus
--! 1 | <TradeEntry><RICCODE>IBM.N</RICCODE>

USE Brokerage;
GO
DECLARE @entries TABLE (handle uniqueidentifier, number bigint);
DECLARE @dh uniqueidentifier;
RECEIVE conversation_handle, message_sequence_number FROM dbo.entryQueue INTO @entries;
SELECT @dh = handle FROM @entries;
SEND ON CONVERSATION @dh MESSAGE TYPE [//trades/Ack] (
    N'<TradeAck number="0"><OrderID>1</OrderID><RICCODE>IBM.N</RICCODE><BuySell>B</BuySell><Volume>100</Volume><Price>88.10</Price></TradeAck>');
SEND ON CONVERSATION @dh MESSAGE TYPE [//trades/Refusal] (N'<TradeRefusal number="1" code="9615">unexpected end</TradeRefusal>');
END CONVERSATION @dh;
GO
WAITFOR DELAY '00:00:03';
GO
SELECT number, order_id, symbol, side, volume, price, code, reason FROM Desk.dbo.settlements ORDER BY number;
SELECT (SELECT COUNT(*) FROM Desk.sys.conversation_endpoints WHERE state <> 'CD') AS desk_open,
       (SELECT COUNT(*) FROM Brokerage.sys.conversation_endpoints WHERE state <> 'CD') AS brokerage_open;
GO
--! rows
--! 0 | 1 | IBM.N | B | 100 | 88.10 | NULL | NULL
--! 1 | NULL | NULL | NULL | NULL | NULL | 9615 | unexpected end
--! rows
--! 0 | 0
