-- Snippet before listing 15-8: the empty service programs that CREATE QUEUE can name.
-- Corrected: CREATE PROCEDURE must be the first statement of its batch, so each stands between GO lines.

CREATE DATABASE Trader1;
GO
CREATE DATABASE DMBrokerage;
GO
USE Trader1;
GO
:r ../activated/tradeAckProc_shell.sql
USE DMBrokerage;
GO
:r ../activated/tradeEntryProc_shell.sql

DECLARE @result int;
EXECUTE @result = Trader1.dbo.tradeAckProc;
SELECT @result AS ack_shell;
EXECUTE @result = dbo.tradeEntryProc;
SELECT @result AS entry_shell;
GO
--! rows
--! 0
--! rows
--! 0

SELECT name, RTRIM(type) AS type FROM DMBrokerage.sys.objects WHERE name = N'tradeEntryProc';
GO
--! rows
--! tradeEntryProc | P
