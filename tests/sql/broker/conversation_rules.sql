-- What holds for all statements of conversations: semicolons, functions, NULL, names, a disabled broker.
CREATE DATABASE Statements;
GO
USE Statements;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE H (h uniqueidentifier, SEND int, MOVE int);
GO
-- With and without a semicolon in front of the statement; its first word can be a name elsewhere.
DECLARE @h uniqueidentifier, @g uniqueidentifier
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF
SEND ON CONVERSATION @h (N'1')
;SEND ON CONVERSATION @h (N'2');
SET @g = NULL
GET CONVERSATION GROUP @g FROM Q2
SELECT CASE WHEN @g IS NULL THEN 'none' ELSE 'group' END AS found
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2
;RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2;
SELECT @g = conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h
MOVE CONVERSATION @h TO @g
;MOVE CONVERSATION @h TO @g;
INSERT INTO H VALUES (@h, 1, 2);
SELECT SEND, MOVE, 3 AS RECEIVE, 4 AS SEND FROM H;
GO
--! spec COMMON-1 COMMON-2
--! rows
--! group
--! rows
--! 1
--! rows
--! 2
--! rows
--! columns SEND | MOVE | RECEIVE | SEND
--! 1 | 2 | 3 | 4
--! spec ALL-1
-- No side effects in functions.
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2'; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; BEGIN CONVERSATION TIMER (@h) TIMEOUT = 1; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; SEND ON CONVERSATION @h; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM Q2; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F() RETURNS int AS BEGIN WAITFOR (RECEIVE * FROM Q2), TIMEOUT 1; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM Q2; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; MOVE CONVERSATION @h TO @h; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
CREATE FUNCTION F() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; END CONVERSATION @h; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
-- Service, contract and message type names are compared byte by byte.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s1 TO SERVICE 'S2';
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT [default];
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 's2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [Default] (N'x');
SEND ON CONVERSATION @h (N'x');
SELECT to_service_name FROM sys.transmission_queue;
END CONVERSATION @h WITH CLEANUP;
GO
--! error 8423
--! error 8425
--! error 8428
--! rows
--! s2
--! spec NAME-3
-- A disabled broker: the statements work, the messages wait, with the reason 9791.
ALTER DATABASE Statements SET DISABLE_BROKER;
DECLARE @h uniqueidentifier, @was uniqueidentifier = (SELECT h FROM H);
SEND ON CONVERSATION @was (N'waits');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'waits too');
SELECT CAST(t.message_body AS nvarchar(10)), CASE WHEN t.transmission_status = REPLACE(m.text, '%s', '') THEN 'reason' END
FROM sys.transmission_queue t CROSS JOIN sys.messages m WHERE m.message_id = 9791 AND m.language_id = 1033 ORDER BY t.enqueue_time, t.message_sequence_number DESC;
RECEIVE * FROM Q2;
END CONVERSATION @h;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
ALTER DATABASE Statements SET ENABLE_BROKER;
GO
--! rows
--! waits | reason
--! waits too | reason
--! rows
--! rows
--! DO
--! spec COMMON-4 SEND-32
--! advance 70s
RECEIVE CAST(message_body AS nvarchar(10)), message_type_id FROM Q2;
RECEIVE CAST(message_body AS nvarchar(10)), message_type_id FROM Q2;
GO
--! rows
--! waits | 14
--! rows
--! waits too | 14
--! NULL | 2
--! spec PENDING-9
-- A failed statement changes nothing.
DECLARE @h uniqueidentifier, @null varbinary(max), @before bigint;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (@null);
SEND ON CONVERSATION @h MESSAGE TYPE Unknown (N'x');
SEND ON CONVERSATION (@h, @h) (N'x');
END CONVERSATION @h WITH ERROR = 0 DESCRIPTION = N'x';
MOVE CONVERSATION @h TO 0x01;
SELECT state, send_sequence, dialog_timer FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT COUNT(*) FROM Q2;
GO
--! error 8433
--! error 8428
--! error 8451
--! error 8419
--! error 8436
--! rows
--! SO | 0 | 1900-01-01 00:00:00.000
--! rows
--! 0
--! spec ALL-2
