-- Conversation timers, lifetimes and messages over restarts; order of system messages.
CREATE DATABASE Again;
GO
USE Again;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE H (name varchar(10) PRIMARY KEY, h uniqueidentifier);
GO
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 600;
SEND ON CONVERSATION @a (N'one'); SEND ON CONVERSATION @a (N'two');
BEGIN CONVERSATION TIMER (@a) TIMEOUT = 100;
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
INSERT INTO H VALUES ('a', @a), ('b', @b);
SELECT DATEDIFF(second, GETUTCDATE(), dialog_timer) FROM sys.conversation_endpoints WHERE conversation_handle = @a;
GO
--! rows
--! 100
--! spec TIMER-10
--! restart
USE Again;
SELECT state, send_sequence, dialog_timer FROM sys.conversation_endpoints WHERE is_initiator = 1 ORDER BY send_sequence;
SELECT CAST(message_body AS nvarchar(20)), message_sequence_number, queuing_order FROM Q2 ORDER BY queuing_order;
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
SEND ON CONVERSATION @a (N'three');
GO
--! rows
--! SO | 0 | 1900-01-01 00:00:00.000
--! CO | 2 | 2026-01-01 00:01:40.000
--! rows
--! one | 0 | 0
--! two | 1 | 1
--! spec TIMER-11 TIMER-16
--! advance 101s
RECEIVE message_type_id, message_body, message_sequence_number FROM Q1;
RECEIVE TOP (1) CAST(message_body AS nvarchar(20)) FROM Q2;
SELECT dialog_timer FROM sys.conversation_endpoints WHERE conversation_handle = (SELECT h FROM H WHERE name = 'a');
GO
--! rows
--! 5 | NULL | 0
--! rows
--! one
--! rows
--! 1900-01-01 00:00:00.000
--! spec TIMER-11 TIMER-16
-- The timer of the target is its own. Setting it again before it expires resets it; a rollback leaves the old one.
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q2);
BEGIN CONVERSATION TIMER (@t) TIMEOUT = 10;
BEGIN TRANSACTION;
BEGIN CONVERSATION TIMER (@t) TIMEOUT = 60;
ROLLBACK;
GO
--! advance 11s
SELECT COUNT(*) FROM Q1;
-- DialogTimer before the rest.
SELECT message_type_id FROM Q2 ORDER BY queuing_order;
RECEIVE message_type_id FROM Q2;
GO
--! rows
--! 0
--! rows
--! 14
--! 14
--! 5
--! rows
--! 5
--! 14
--! 14
--! spec TIMER-5 TIMER-9 TIMER-18 RECEIVE-35
-- DialogTimer, then Error, then the rest (2.15).
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
DECLARE @t uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0);
SEND ON CONVERSATION @a (N'rest');
BEGIN CONVERSATION TIMER (@t) TIMEOUT = 1;
GO
--! advance 2s
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
END CONVERSATION @a WITH ERROR = 9 DESCRIPTION = N'nine';
RECEIVE message_type_id FROM Q2;
GO
--! rows
--! 5
--! 1
--! 14
--! spec RECEIVE-36
-- SO endpoint: a timer may be set, DialogTimer arrives; also in SO the lifetime counts. Expiry while the server was down fires late.
DECLARE @c uniqueidentifier;
BEGIN DIALOG @c FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 30;
BEGIN CONVERSATION TIMER (@c) TIMEOUT = 31;
GO
--! error 8410
DECLARE @c uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE DATEDIFF(second, GETUTCDATE(), lifetime) = 30);
BEGIN CONVERSATION TIMER (@c) TIMEOUT = 5;
GO
--! restart
--! advance 10s
USE Again;
SELECT message_type_id FROM Q1;
GO
--! rows
--! 5
--! advance 30s
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT message_type_id, CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1 ORDER BY queuing_order;
RECEIVE message_type_name FROM Q1;
SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 1 AND conversation_handle <> (SELECT h FROM H WHERE name = 'b');
GO
--! rows
--! 5 | NULL
--! 1 | -8489
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error
--! rows unordered
--! ER
--! DO
--! spec LIFETIME-9
-- Errors of the statement.
DECLARE @h uniqueidentifier = NEWID(), @null uniqueidentifier;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
BEGIN CONVERSATION TIMER (@null) TIMEOUT = 5;
GO
--! error 8426
--! error 8418
--! spec TIMER-22
-- Expiry keeps received, unread messages; both sides get -8489 on their own (3.7).
DECLARE @a uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 5;
SEND ON CONVERSATION @a (N'unread');
GO
--! advance 6s
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1;
RECEIVE message_type_id FROM Q2;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state = 'ER';
GO
--! rows
--! -8489
--! rows
--! 1
--! 14
--! rows
--! 4
--! spec LIFETIME-3 LIFETIME-6
-- The row remains until END CONVERSATION on each side.
DECLARE @e uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE state = 'ER' AND is_initiator = 1);
END CONVERSATION @e;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_handle = @e;
GO
--! rows
--! 0
--! spec LIFETIME-5
