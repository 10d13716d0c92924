-- Serves: DMBrokerage.dbo.tradeEntryQueue (before the real program of listing 15-18 exists).
-- The empty shell of the chapter: something for CREATE QUEUE to name. It reads nothing, so the broker gives up on it
-- after the first start and the message stays where it is.
-- Name and contents must be replaced (ALTER PROCEDURE) before the queue is put to use.
CREATE PROCEDURE dbo.tradeEntryProc
AS
RETURN 0;
GO
