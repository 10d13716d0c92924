-- Conversation timers (seconds) and dialog lifetime.
CREATE DATABASE Timers;
GO
USE Timers;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
DECLARE @h uniqueidentifier, @long uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 60, ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'hello');
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 10;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 20;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 61;
GO
--! error 8410
--! spec TIMER-12
--! advance 19s
SELECT COUNT(*) FROM Q1;
GO
--! rows
--! 0
--! advance 2s
RECEIVE message_type_name, message_body, message_type_id FROM Q1;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer | NULL | 5
--! spec OLD-1 TIMER-2 TIMER-3 TIMER-8
-- Each side of the dialog expires on its own, with error -8489 in its own queue.
--! advance 60s
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1;
SELECT state FROM sys.conversation_endpoints;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'too late');
END CONVERSATION @h;
GO
--! rows
--! -8489
--! rows
--! ER
--! ER
--! error 8429
--! spec LIFETIME-3 LIFETIME-4 BROKERERROR-1
