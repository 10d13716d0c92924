-- Listing 15-14: begin the dialog and send the first message.
-- Corrected: quotes and comments, garbled by the extraction, and two missing semicolons. A SEND needs the statement
-- before it to be terminated.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE Trader1;
GO
DECLARE @dh uniqueidentifier;
DECLARE @msgBody xml;

-- a program would build the message from its parameters
SET @msgBody = N'<id>Order1</id>';

BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade
    TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];

-- from now on the handle is all that is needed
SEND ON CONVERSATION @dh
    MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (@msgBody);
GO

-- Both databases know the conversation now, by one conversation_id and two handles.
SELECT N'Trader1' AS db, e.is_initiator, RTRIM(e.state) AS state, e.far_service, e.send_sequence, e.receive_sequence,
       e.conversation_id
FROM Trader1.sys.conversation_endpoints AS e
UNION ALL
SELECT N'DMBrokerage', e.is_initiator, RTRIM(e.state), e.far_service, e.send_sequence, e.receive_sequence,
       e.conversation_id
FROM DMBrokerage.sys.conversation_endpoints AS e
ORDER BY is_initiator DESC;
GO
--! rows
--! Trader1 | 1 | CO | //www.develop.com/DMBrokerage/TradeEntryService | 1 | 0 | {conversation}
--! DMBrokerage | 0 | CO | enterTrade | 0 | 1 | {conversation}

-- A conversation group on each side, and the two have nothing to do with each other.
SELECT COUNT(*) AS groups FROM Trader1.sys.conversation_groups;
SELECT COUNT(*) AS groups FROM DMBrokerage.sys.conversation_groups;
SELECT COUNT(*) AS shared
FROM Trader1.sys.conversation_groups AS a
JOIN DMBrokerage.sys.conversation_groups AS b ON b.conversation_group_id = a.conversation_group_id;
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 0

-- The message went straight into the queue of the other database, past the transmission queue.
SELECT message_type_name, service_name, message_sequence_number, CAST(message_body AS xml) AS body
FROM DMBrokerage.dbo.tradeEntryQueue;
SELECT COUNT(*) AS waiting FROM Trader1.sys.transmission_queue;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeEntry | //www.develop.com/DMBrokerage/TradeEntryService | 0 | <id>Order1</id>
--! rows
--! 0
