-- RETENTION as a trace of a whole dialog: both sides of it stay in the queue with their status until the end; an application reads them to undo
-- what it has done when the other side reports an error.
CREATE DATABASE Kept;
GO
USE Kept;
GO
CREATE MESSAGE TYPE [book] VALIDATION = NONE; CREATE MESSAGE TYPE [booked] VALIDATION = NONE; CREATE CONTRACT [booking] ([book] SENT BY INITIATOR, [booked] SENT BY TARGET);
CREATE QUEUE AgentQ WITH RETENTION = ON; CREATE QUEUE HotelQ;
CREATE SERVICE Agent ON QUEUE AgentQ; CREATE SERVICE Hotel ON QUEUE HotelQ ([booking]);
GO
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Agent TO SERVICE 'Hotel' ON CONTRACT [booking] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [book] ('room 1');
SEND ON CONVERSATION @h MESSAGE TYPE [book] ('room 2');
RECEIVE TOP (1) @t = conversation_handle FROM HotelQ;
SEND ON CONVERSATION @t MESSAGE TYPE [booked] ('room 1');
RECEIVE TOP (1) message_type_name, status FROM AgentQ;
END CONVERSATION @t WITH ERROR = 1000 DESCRIPTION = N'no room 2';
RECEIVE message_type_name FROM AgentQ;
SELECT status, message_type_name, CAST(message_body AS varchar(10)) AS body FROM AgentQ WHERE message_type_name LIKE 'book%' ORDER BY status, message_sequence_number;
SELECT 'cancel ' + CAST(message_body AS varchar(10)) AS compensation FROM AgentQ WHERE status = 3 AND conversation_handle = @h ORDER BY message_sequence_number DESC;
END CONVERSATION @h;
SELECT COUNT(*) FROM AgentQ;
GO
--! rows
--! booked | 0
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error
--! rows
--! 0 | booked | room 1
--! 3 | book | room 1
--! 3 | book | room 2
--! rows
--! cancel room 2
--! cancel room 1
--! rows
--! 0
