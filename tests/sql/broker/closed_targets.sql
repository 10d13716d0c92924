-- The rows of closed targets, sequence numbers of an endpoint, and what one-sided ends leave behind.
CREATE DATABASE Closing;
GO
USE Closing;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE H (name varchar(10), h uniqueidentifier, t uniqueidentifier);
GO
CREATE PROCEDURE Dialog @name varchar(10) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'0');
    INSERT INTO H SELECT @name, @h, t.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t
        ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 WHERE i.conversation_handle = @h;
END;
GO
CREATE PROCEDURE Show @name varchar(10) AS
SELECT e.is_initiator, e.state, e.security_timestamp, e.send_sequence, e.receive_sequence, e.end_dialog_sequence
FROM sys.conversation_endpoints e JOIN H ON e.conversation_handle IN (H.h, H.t) WHERE H.name = @name ORDER BY e.is_initiator DESC;
GO
-- Message 0 carries no flag; the next message does: 30 minutes from then, and later ones do not change that. Numbers of both directions start at 0.
EXEC Dialog 'flag';
EXEC Show 'flag';
GO
--! rows
--! 1 | CO | 1900-01-01 00:00:00.000 | 1 | 0 | -1
--! 0 | CO | 1900-01-01 00:00:00.000 | 0 | 1 | -1
--! spec CLOSED-1 SEQUENCE-1 SEQUENCE-2 SEQUENCE-3 SEQUENCE-5
--! advance 10s
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'flag');
SEND ON CONVERSATION @h (N'1');
EXEC Show 'flag';
GO
--! rows
--! 1 | CO | 1900-01-01 00:00:00.000 | 2 | 0 | -1
--! 0 | CO | 2026-01-01 00:30:10.000 | 0 | 2 | -1
--! spec CLOSED-2 CLOSED-7 SEQUENCE-2 SEQUENCE-3
--! advance 10s
DECLARE @h uniqueidentifier, @t uniqueidentifier;
SELECT @h = h, @t = t FROM H WHERE name = 'flag';
SEND ON CONVERSATION @h (N'2');
SEND ON CONVERSATION @t (N'reply 0');
SEND ON CONVERSATION @t (N'reply 1');
EXEC Show 'flag';
SELECT message_sequence_number FROM Q1 ORDER BY queuing_order;
GO
--! rows
--! 1 | CO | 1900-01-01 00:00:00.000 | 3 | 2 | -1
--! 0 | CO | 2026-01-01 00:30:10.000 | 2 | 3 | -1
--! rows
--! 0
--! 1
--! spec CLOSED-3 CLOSED-4 SEQUENCE-1 SEQUENCE-3
-- EndDialog takes the next number on its side, and is the last of the other.
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'flag');
END CONVERSATION @h;
EXEC Show 'flag';
SELECT DISTINCT receive_sequence_frag, first_out_of_order_sequence, last_out_of_order_sequence, last_out_of_order_frag, last_send_tran_id FROM sys.conversation_endpoints;
GO
--! rows
--! 1 | DO | 1900-01-01 00:00:00.000 | 4 | 2 | 3
--! 0 | DI | 2026-01-01 00:30:10.000 | 2 | 4 | 3
--! rows
--! 0 | -1 | -1 | -1 | 0x000000000000
--! spec CHANGE-11 SEQUENCE-4 SEQUENCE-5 SEQUENCE-6 SEQUENCE-7 SEQUENCE-8
RECEIVE message_type_id, validation, message_body, message_sequence_number FROM Q2;
DECLARE @t uniqueidentifier = (SELECT t FROM H WHERE name = 'flag');
END CONVERSATION @t;
EXEC Show 'flag';
GO
--! rows
--! 14 | N  | 0x3000 | 0
--! 14 | N  | 0x3100 | 1
--! 14 | N  | 0x3200 | 2
--! 2 | E  | NULL | 3
--! rows
--! 0 | CD | 2026-01-01 00:30:10.000 | 2 | 4 | 3
--! spec CHANGE-20 CHANGE-21 CHANGE-27 SYSTEMMESSAGE-1 SEQUENCE-9
--! advance 29m
EXEC Show 'flag';
GO
--! rows
--! 0 | CD | 2026-01-01 00:30:10.000 | 2 | 4 | 3
--! advance 1m
EXEC Show 'flag';
GO
--! rows
--! spec CLOSED-5
-- The flag came long before the end: the row goes at once.
EXEC Dialog 'early';
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'early');
SEND ON CONVERSATION @h (N'1');
GO
--! advance 31m
DECLARE @h uniqueidentifier, @t uniqueidentifier;
SELECT @h = h, @t = t FROM H WHERE name = 'early';
END CONVERSATION @h; END CONVERSATION @t;
GO
--! settle
EXEC Show 'early';
SELECT COUNT(*) FROM sys.conversation_groups;
GO
--! rows
--! rows
--! 0
--! spec CLOSED-6
-- No flag: the target ends first, after message 0 alone. The 30 minutes count from the end of the initiator.
EXEC Dialog 'none';
GO
--! advance 5m
DECLARE @h uniqueidentifier, @t uniqueidentifier;
SELECT @h = h, @t = t FROM H WHERE name = 'none';
END CONVERSATION @t;
EXEC Show 'none';
END CONVERSATION @h;
SELECT is_initiator, state, DATEDIFF(minute, GETUTCDATE(), security_timestamp) FROM sys.conversation_endpoints;
END CONVERSATION @t WITH CLEANUP;
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 1 | DI | 1900-01-01 00:00:00.000 | 1 | 1 | 0
--! 0 | DO | 1900-01-01 00:00:00.000 | 1 | 1 | 0
--! rows
--! 0 | CD | 30
--! rows
--! 0
--! spec CLOSED-8 CLOSED-10 CLOSED-11 CHANGE-19
-- One side alone: the other stays DI, for ever.
EXEC Dialog 'leak';
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'leak');
END CONVERSATION @h;
GO
--! advance 200h
SELECT is_initiator, state FROM sys.conversation_endpoints ORDER BY is_initiator;
GO
--! rows
--! 0 | DI
--! 1 | DO
--! spec CHANGE-28
DECLARE @t uniqueidentifier = (SELECT t FROM H WHERE name = 'leak');
END CONVERSATION @t;
GO
--! settle
SELECT COUNT(*) FROM sys.conversation_endpoints;
RECEIVE message_type_id FROM Q2;
GO
--! rows
--! 0
--! rows
-- Messages of the peer that were under way when this side ended are dropped; the peer hears of the end only.
EXEC Dialog 'half';
ALTER QUEUE Q1 WITH STATUS = OFF;
DECLARE @h uniqueidentifier, @t uniqueidentifier;
SELECT @h = h, @t = t FROM H WHERE name = 'half';
SEND ON CONVERSATION @t (N'under way');
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.transmission_queue;
ALTER QUEUE Q1 WITH STATUS = ON;
GO
--! rows
--! 1
--! advance 70s
SELECT COUNT(*) FROM Q1;
SELECT e.is_initiator, e.state FROM sys.conversation_endpoints e ORDER BY e.is_initiator;
RECEIVE message_type_id FROM Q2;
DECLARE @t uniqueidentifier = (SELECT t FROM H WHERE name = 'half');
END CONVERSATION @t;
SELECT (SELECT COUNT(*) FROM sys.transmission_queue), (SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1);
GO
--! rows
--! 0
--! rows
--! 0 | DI
--! 1 | DO
--! rows
--! 14
--! 2
--! rows
--! 0 | 0
--! spec CHANGE-29 END-23 END-35
-- A rolled back SEND gives its number back.
EXEC Dialog 'again';
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'again');
BEGIN TRANSACTION;
SEND ON CONVERSATION @h (N'undone');
ROLLBACK;
SEND ON CONVERSATION @h (N'done');
SELECT message_sequence_number, CAST(message_body AS nvarchar(10)) FROM Q2 ORDER BY queuing_order;
SELECT send_sequence FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! 0 | 0
--! 1 | done
--! rows
--! 2
--! spec SEQUENCE-12
-- The Error of END CONVERSATION is in sequence and takes a number.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
SELECT @h = h, @t = t FROM H WHERE name = 'again';
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'x';
RECEIVE message_type_id, message_sequence_number FROM Q2 WHERE conversation_handle = @t;
EXEC Show 'again';
GO
--! rows
--! 1 | 2
--! 14 | 0
--! 14 | 1
--! rows
--! 1 | DO | 1900-01-01 00:00:00.000 | 3 | 0 | 2
--! 0 | ER | * | 0 | 3 | 2
--! spec CHANGE-11 CHANGE-13 SEQUENCE-4 RECEIVE-36
-- Lifetime: neither messages nor timers make it longer; the target's is the same moment; a stopped server does not stop it.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 600;
INSERT INTO H VALUES ('life', @h, NULL);
GO
--! advance 100s
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE name = 'life');
SEND ON CONVERSATION @h (N'first');
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 10;
UPDATE H SET t = (SELECT e.conversation_handle FROM sys.conversation_endpoints e WHERE e.is_initiator = 0 AND e.lifetime < '2030-01-01') WHERE name = 'life';
SELECT is_initiator, DATEDIFF(second, GETUTCDATE(), lifetime) FROM sys.conversation_endpoints WHERE lifetime < '2030-01-01';
GO
--! rows unordered
--! 0 | 500
--! 1 | 500
--! spec LIFETIME-1 LIFETIME-2 LIFETIME-7
--! restart
--! advance 501s
USE Closing;
SELECT is_initiator, state FROM sys.conversation_endpoints WHERE lifetime < '2030-01-01' ORDER BY is_initiator;
GO
--! rows
--! 0 | ER
--! 1 | ER
--! spec LIFETIME-8
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT message_type_id, message_sequence_number, validation, SUBSTRING(message_body, 1, 4), CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'),
    CASE WHEN CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(max)') = (SELECT text FROM sys.messages WHERE message_id = 8489 AND language_id = 1033) THEN 'text of 8489' END
FROM Q2 WHERE message_type_id = 1;
GO
--! rows
--! 1 | 0 | X  | 0xFFFE3C00 | -8489 | text of 8489
--! spec CHANGE-13 SYSTEMMESSAGE-2 SYSTEMMESSAGE-7 SYSTEMMESSAGE-8 SYSTEMMESSAGE-9
