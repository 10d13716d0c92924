-- Listing 15-16: receive the first message of the queue.
-- Corrected: nothing but the comment dashes.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql
:r common/send-trade-entry.sql

USE DMBrokerage;
GO
-- looking does not take
SELECT conversation_handle, message_type_name FROM tradeEntryQueue;
GO
--! rows
--! {dialog} | //www.develop.com/DMBrokerage/TradeEntry

-- The body comes as binary; only the sender knows what it was before.
RECEIVE TOP (1) conversation_handle, message_body
FROM tradeEntryQueue;
GO
--! rows
--! columns conversation_handle | message_body
--! {dialog} | *

SELECT COUNT(*) AS messages FROM tradeEntryQueue;
GO
--! rows
--! 0
