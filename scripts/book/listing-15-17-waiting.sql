-- Listing 15-17 as the text tries it out: a reader in DMBrokerage waits, then Trader1 sends.
-- Two sessions take part. To follow it by hand, run the marked batches in a window of their own; a single session
-- would sit out the whole minute first.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

-- window 1
--! session reader IN DMBrokerage
USE DMBrokerage;
GO
DECLARE @dh uniqueidentifier;
DECLARE @msg varbinary(max);

WAITFOR (
    RECEIVE TOP (1)
        @dh = conversation_handle,
        @msg = message_body
    FROM tradeEntryQueue
), TIMEOUT 60000;

SELECT CASE WHEN @dh IS NULL THEN 'nothing' ELSE 'a message' END AS received, CAST(@msg AS xml) AS body;
GO
--! blocked

-- window 2
--! session main
:r common/send-trade-entry.sql

-- window 1 has its message
--! session reader
--! finishes
--! rows
--! a message | <id>Order1</id>

--! session main
SELECT COUNT(*) AS messages FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! 0
