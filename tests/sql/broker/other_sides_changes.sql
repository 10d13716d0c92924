-- Both sides of a dialog change their endpoints, each in its own transactions; what is stored is the newest of both.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Asking; CREATE SERVICE Asker ON QUEUE Asking;
CREATE QUEUE Answering; CREATE SERVICE Answerer ON QUEUE Answering ([DEFAULT]);
CREATE TABLE Handles (side char(1), h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Answerer' WITH ENCRYPTION = OFF;
INSERT Handles VALUES ('a', @h);
SEND ON CONVERSATION @h (N'one');
GO
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Answering;
INSERT Handles VALUES ('t', @t);
SEND ON CONVERSATION @t (N'first answer');
GO
-- This message arrives at an endpoint that another transaction has changed before.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE side = 'a');
SEND ON CONVERSATION @h (N'two');
GO
--! restart
--! session main IN Shop
SELECT is_initiator, send_sequence, receive_sequence FROM sys.conversation_endpoints ORDER BY is_initiator;
DECLARE @t uniqueidentifier = (SELECT h FROM Handles WHERE side = 't');
SEND ON CONVERSATION @t (N'second answer');
SELECT CAST(message_body AS nvarchar(20)), message_sequence_number FROM Asking ORDER BY queuing_order;
SELECT CAST(message_body AS nvarchar(20)), message_sequence_number FROM Answering;
GO
--! rows
--! 0 | 1 | 2
--! 1 | 2 | 1
--! rows
--! first answer | 0
--! second answer | 1
--! rows
--! two | 1
