-- Snippet after listing 15-18: name an activation procedure for a queue that exists already.
-- The statement itself is missing from our source; this is ALTER QUEUE as the text describes it, and the switches that
-- go with it.

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

-- A message waits before there is anybody to read it.
:r common/send-trade-entry.sql

USE DMBrokerage;
GO
-- Defined, but switched off: nothing starts.
ALTER QUEUE tradeEntryQueue
    WITH ACTIVATION (
        STATUS = OFF,
        PROCEDURE_NAME = DMBrokerage.dbo.tradeEntryProc,
        MAX_QUEUE_READERS = 5,
        EXECUTE AS SELF);
GO
WAITFOR DELAY '00:00:01';
GO
SELECT is_activation_enabled, max_readers FROM sys.service_queues WHERE name = N'tradeEntryQueue';
SELECT COUNT(*) AS messages FROM tradeEntryQueue;
GO
--! rows
--! 0 | 5
--! rows
--! 1

-- Switched on: the waiting message is reason enough to start at once.
ALTER QUEUE tradeEntryQueue WITH ACTIVATION (STATUS = ON);
GO
WAITFOR DELAY '00:00:02';
GO
SELECT COUNT(*) AS messages FROM tradeEntryQueue;
SELECT body FROM dbo.tradeEntries;
GO
--! rows
--! 0
--! rows
--! <id>Order1</id>

-- Single settings can be changed later; DROP forgets the whole definition.
ALTER QUEUE tradeEntryQueue WITH ACTIVATION (MAX_QUEUE_READERS = 1);
SELECT is_activation_enabled, max_readers FROM sys.service_queues WHERE name = N'tradeEntryQueue';
GO
--! rows
--! 1 | 1
ALTER QUEUE tradeEntryQueue WITH ACTIVATION (DROP);
SELECT is_activation_enabled, activation_procedure FROM sys.service_queues WHERE name = N'tradeEntryQueue';
GO
--! rows
--! 0 | NULL
