-- BEGIN CONVERSATION TIMER: syntax, range, what a timer does and does not, activation, a disabled queue, a stopped server.
CREATE DATABASE TimerRules;
GO
USE TimerRules;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE H (name char(1), h uniqueidentifier);
CREATE TABLE Seen (n int IDENTITY, type int);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 100000;
SEND ON CONVERSATION @h (N'first');
INSERT INTO H VALUES ('a', @h);
GO
-- Parentheses and = are required, and so is TIMEOUT: there is no form that takes a timer back.
BEGIN CONVERSATION TIMER '00000000-0000-0000-0000-000000000001' TIMEOUT = 5;
GO
--! error 102
BEGIN CONVERSATION TIMER ('00000000-0000-0000-0000-000000000001') TIMEOUT 5;
GO
--! error 102
--! spec TIMER-1
BEGIN CONVERSATION TIMER ('00000000-0000-0000-0000-000000000001');
GO
--! error 102
DECLARE @h uniqueidentifier = (SELECT h FROM H); END CONVERSATION TIMER (@h);
GO
--! error 195
--! spec TIMER-13
-- The message: of type 5, empty, in the own queue. The conversation goes on as before.
DECLARE @h uniqueidentifier = (SELECT h FROM H);
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 10;
GO
--! advance 10s
RECEIVE message_type_name, message_type_id, validation, message_body, message_sequence_number, service_contract_name FROM Q1;
SELECT message_type_id FROM Q2;
SELECT state, dialog_timer FROM sys.conversation_endpoints;
DECLARE @h uniqueidentifier = (SELECT h FROM H);
SEND ON CONVERSATION @h (N'second');
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer | 5 | E  | NULL | 0 | DEFAULT
--! rows
--! 14
--! rows
--! CO | 1900-01-01 00:00:00.000
--! CO | 1900-01-01 00:00:00.000
--! spec TIMER-3 TIMER-4 TIMER-5 TIMER-6 TIMER-11 SYSTEMMESSAGE-3 SYSTEMMESSAGE-4
-- 0 and less: at once.
DECLARE @h uniqueidentifier = (SELECT h FROM H);
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 0;
GO
--! settle
SELECT COUNT(*) FROM Q1;
DECLARE @h uniqueidentifier = (SELECT h FROM H);
BEGIN CONVERSATION TIMER (@h) TIMEOUT = -5;
GO
--! rows
--! 1
--! settle
-- The first message, still unread, did not keep the second one from coming.
SELECT message_type_id FROM Q1;
RECEIVE message_type_id FROM Q1;
GO
--! rows
--! 5
--! 5
--! rows
--! 5
--! 5
--! spec TIMER-14 TIMER-19
-- END CONVERSATION ends the timer, and takes a message of it that waits.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 10;
END CONVERSATION @h;
SELECT dialog_timer FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! 1900-01-01 00:00:00.000
--! advance 1m
SELECT COUNT(*) FROM Q1;
GO
--! rows
--! 0
--! spec TIMER-24
-- It activates.
CREATE PROCEDURE Ticked AS
BEGIN
    DECLARE @type int;
    RECEIVE TOP (1) @type = message_type_id FROM Q1;
    IF @@ROWCOUNT > 0 INSERT INTO Seen VALUES (@type);
END;
GO
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Ticked, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
DECLARE @h uniqueidentifier = (SELECT h FROM H);
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 30;
GO
--! advance 31s
SELECT type FROM Seen;
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = OFF);
GO
--! rows
--! 5
--! spec TIMER-7
-- A disabled queue: the message comes when it is enabled.
ALTER QUEUE Q1 WITH STATUS = OFF;
DECLARE @h uniqueidentifier = (SELECT h FROM H);
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
GO
--! advance 1m
SELECT COUNT(*) FROM Q1;
ALTER QUEUE Q1 WITH STATUS = ON;
GO
--! rows
--! 0
--! advance 10s
RECEIVE message_type_id FROM Q1;
GO
--! rows
--! 5
--! spec TIMER-23
-- A lifetime that the timer would outlive: 8410; up to it, not.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 60;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 61;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60;
SELECT DATEDIFF(second, dialog_timer, lifetime) FROM sys.conversation_endpoints WHERE conversation_handle = @h;
END CONVERSATION @h;
GO
--! error 8410
--! rows
--! 0
--! spec TIMER-12
