-- Listing 15-19: the service program of the trader's database, activated on tradeAckQueue; with it the whole round
-- of the chapter runs. The procedure is in ../activated/tradeAckProc.sql: the extraction kept only its second half,
-- the first follows listing 15-18. Corrected there: the listing ends the conversation at any message, even the
-- acknowledgement; ours waits for the EndDialog (or Error) of the brokerage.

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
    WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = tradeEntryProc, MAX_QUEUE_READERS = 5, EXECUTE AS SELF);
GO

USE Trader1;
GO
CREATE TABLE dbo.tradeAcks
(
    ack_id int IDENTITY(1, 1) PRIMARY KEY,
    conversation_group_id uniqueidentifier NOT NULL,
    body xml NOT NULL
);
GO
:r ../activated/tradeAckProc.sql
ALTER QUEUE tradeAckQueue
    WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = tradeAckProc, MAX_QUEUE_READERS = 5, EXECUTE AS SELF);
GO

:r common/send-trade-entry.sql
WAITFOR DELAY '00:00:02';
GO

SELECT body FROM DMBrokerage.dbo.tradeEntries;
SELECT body FROM Trader1.dbo.tradeAcks;
SELECT COUNT(*) AS messages FROM DMBrokerage.dbo.tradeEntryQueue;
SELECT COUNT(*) AS messages FROM Trader1.dbo.tradeAckQueue;
GO
--! rows
--! <id>Order1</id>
--! rows
--! <TradeAck><id>1</id><ackid>1</ackid></TradeAck>
--! rows
--! 0
--! rows
--! 0

-- Both sides have ended: the initiator's row is gone, the target's stays closed for half an hour so that a late copy
-- of the first message cannot begin the conversation anew.
SELECT COUNT(*) AS endpoints FROM Trader1.sys.conversation_endpoints;
SELECT RTRIM(state) AS state, state_desc FROM DMBrokerage.sys.conversation_endpoints;
GO
--! rows
--! 0
--! rows
--! CD | CLOSED
