-- Listing 15-8: the queues of the trading example with activation switched on from the start.
-- The procedures are still the empty shells that the chapter makes so that CREATE QUEUE has something to name.
-- What the chapter leaves out: an activated procedure that never executes RECEIVE is given up on. The second half
-- of this script shows it, with services from listing 15-10.

:r common/databases.sql
:r common/messages.sql

USE Trader1;
GO
:r ../activated/tradeAckProc_shell.sql
USE DMBrokerage;
GO
:r ../activated/tradeEntryProc_shell.sql

-- for the acknowledgements from the brokerage
USE Trader1;
GO
CREATE QUEUE tradeAckQueue
    WITH STATUS = ON,
    ACTIVATION (
        PROCEDURE_NAME = tradeAckProc,
        MAX_QUEUE_READERS = 5,
        EXECUTE AS SELF);
GO
-- for the new orders from the trader
USE DMBrokerage;
GO
CREATE QUEUE tradeEntryQueue
    WITH STATUS = ON,
    ACTIVATION (
        PROCEDURE_NAME = tradeEntryProc,
        MAX_QUEUE_READERS = 5,
        EXECUTE AS SELF);
GO

SELECT name, is_activation_enabled, max_readers, USER_NAME(execute_as_principal_id) AS runs_as
FROM Trader1.sys.service_queues WHERE is_ms_shipped = 0;
SELECT name, is_activation_enabled, max_readers, USER_NAME(execute_as_principal_id) AS runs_as
FROM DMBrokerage.sys.service_queues WHERE is_ms_shipped = 0;
GO
--! rows
--! tradeAckQueue | 1 | 5 | dbo
--! rows
--! tradeEntryQueue | 1 | 5 | dbo

-- Send an entry to the shell.
USE DMBrokerage;
GO
CREATE SERVICE [//www.develop.com/DMBrokerage/TradeEntryService]
    ON QUEUE tradeEntryQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO
USE Trader1;
GO
CREATE SERVICE enterTrade ON QUEUE tradeAckQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO
:r common/send-trade-entry.sql
WAITFOR DELAY '00:00:01';
GO

-- The shell was started, read nothing and left; the message is still there. The queue monitor has done its part
-- (NOTIFIED) and starts no further procedure until somebody reads the queue.
USE DMBrokerage;
GO
SELECT message_type_name FROM tradeEntryQueue;
SELECT state FROM sys.dm_broker_queue_monitors
WHERE database_id = DB_ID() AND queue_id = OBJECT_ID(N'dbo.tradeEntryQueue');
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeEntry
--! rows
--! NOTIFIED

-- Do the shell's work by hand: the answer starts the other shell, with the same effect.
DECLARE @dh uniqueidentifier;
RECEIVE TOP (1) @dh = conversation_handle FROM tradeEntryQueue;
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (N'<TradeAck/>');
GO
WAITFOR DELAY '00:00:01';
GO
USE Trader1;
GO
SELECT message_type_name FROM tradeAckQueue;
SELECT state FROM sys.dm_broker_queue_monitors
WHERE database_id = DB_ID() AND queue_id = OBJECT_ID(N'dbo.tradeAckQueue');
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeAck
--! rows
--! NOTIFIED
