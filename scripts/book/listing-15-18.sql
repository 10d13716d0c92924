-- Listing 15-18: the service program of DMBrokerage, activated on tradeEntryQueue.
-- The procedure is in ../activated/tradeEntryProc.sql. Corrected there: the DECLAREs had lost their types; WAITFOR
-- needs an end before the comment; the acknowledgement was assigned with two root elements, which is no document;
-- EndDialog and Error messages are ended without an answer (the listing answers whatever comes, and SEND fails on a
-- conversation that the peer has ended). The text asks for a table to put the entries into: dbo.tradeEntries.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE DMBrokerage;
GO
CREATE TABLE dbo.tradeEntries
(
    entry_id int IDENTITY(1, 1) PRIMARY KEY,
    conversation_group_id uniqueidentifier NOT NULL,
    body xml NOT NULL
);
GO
:r ../activated/tradeEntryProc.sql

ALTER QUEUE tradeEntryQueue
    WITH ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = tradeEntryProc,
        MAX_QUEUE_READERS = 5,
        EXECUTE AS SELF);
GO

:r common/send-trade-entry.sql
WAITFOR DELAY '00:00:02';
GO

-- The entry was recorded and left the queue.
SELECT entry_id, body FROM DMBrokerage.dbo.tradeEntries;
SELECT COUNT(*) AS messages FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! 1 | <id>Order1</id>
--! rows
--! 0

-- The answer and the end of the conversation are in the trader's queue, in the order in which they were sent.
-- Nobody reads them yet: that is listing 15-19.
USE Trader1;
GO
SELECT message_sequence_number AS seq, message_type_name, CAST(message_body AS xml) AS body
FROM tradeAckQueue
ORDER BY message_sequence_number;
SELECT RTRIM(state) AS state, state_desc FROM sys.conversation_endpoints;
GO
--! rows
--! 0 | //www.develop.com/DMBrokerage/TradeAck | <TradeAck><id>1</id><ackid>1</ackid></TradeAck>
--! 1 | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
--! rows
--! DI | DISCONNECTED_INBOUND

-- A second entry meets the procedure while it still waits for work (its timeout is ten seconds).
:r common/send-trade-entry.sql
WAITFOR DELAY '00:00:02';
GO
SELECT COUNT(*) AS entries FROM DMBrokerage.dbo.tradeEntries;
GO
--! rows
--! 2
