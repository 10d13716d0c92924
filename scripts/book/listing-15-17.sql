-- Listing 15-17: RECEIVE with WAITFOR and a timeout.
-- Corrected: the missing semicolon before WAITFOR, and the body is shown as XML. listing-15-17-waiting.sql does the
-- experiment of the text, where the reader waits before the message is sent.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql
:r common/send-trade-entry.sql

USE DMBrokerage;
GO
-- A message is there: no waiting.
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
--! rows
--! a message | <id>Order1</id>

-- None is there: an empty answer when the time is up. The timeout counts in milliseconds, so this is a second and
-- a half. (Shorter than the minute of the listing, which would pass in the same way.)
DECLARE @dh uniqueidentifier, @started datetime;
SET @started = GETDATE();
WAITFOR (
    RECEIVE TOP (1) @dh = conversation_handle FROM tradeEntryQueue
), TIMEOUT 1500;
SELECT CASE WHEN @dh IS NULL THEN 'nothing' ELSE 'a message' END AS received,
       CASE WHEN DATEDIFF(millisecond, @started, GETDATE()) >= 1490 THEN 'waited' ELSE 'did not wait' END AS waited;
GO
--! rows
--! nothing | waited
