-- Serves: Trader1.dbo.tradeAckQueue (before the real program of listing 15-19 exists).
-- The empty shell of the chapter, like tradeEntryProc_shell.sql on the other side.
CREATE PROCEDURE dbo.tradeAckProc
AS
RETURN 0;
GO
