-- Snippet after listing 15-12: BEGIN CONVERSATION TIMER.
-- Corrected: the timer counts seconds in the released product (milliseconds in the book), and the message it leaves in
-- this side's queue is called DialogTimer. The other side hears nothing of it.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE QUEUE tradeAckQueue;
CREATE SERVICE enterTrade ON QUEUE tradeAckQueue;
CREATE QUEUE tradeEntryQueue;
CREATE SERVICE tradeEntryService ON QUEUE tradeEntryQueue ([DEFAULT]);
GO

DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh FROM SERVICE enterTrade TO SERVICE 'tradeEntryService' WITH LIFETIME = 600;
SEND ON CONVERSATION @dh (N'an answer, please');
BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 2;

-- Half a second is too short ...
WAITFOR (
    RECEIVE TOP (1) message_type_name FROM tradeAckQueue
), TIMEOUT 500;
-- ... but before five are over, the timer has run out.
WAITFOR (
    RECEIVE TOP (1) message_type_name, message_body FROM tradeAckQueue
), TIMEOUT 5000;
GO
--! rows
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer | NULL

-- The conversation goes on, and the other side has only the message.
SELECT is_initiator, RTRIM(state) AS state FROM sys.conversation_endpoints ORDER BY is_initiator;
SELECT message_type_name FROM tradeEntryQueue;
GO
--! rows
--! 0 | CO
--! 1 | CO
--! rows
--! DEFAULT

-- A second call before the time is up sets the one timer anew: no message after two seconds, one after four.
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1;
BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 2;
WAITFOR DELAY '00:00:01';
BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 3;
WAITFOR DELAY '00:00:02';
SELECT COUNT(*) AS messages FROM tradeAckQueue;
WAITFOR DELAY '00:00:02';
SELECT COUNT(*) AS messages FROM tradeAckQueue;
GO
--! rows
--! 0
--! rows
--! 1

-- A timer cannot outlive its conversation.
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1;
BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 6000;
GO
--! error 8410
