-- sys.transmission_queue: what stands in it, what takes it away.
CREATE DATABASE Pending;
CREATE DATABASE Gone;
GO
ALTER DATABASE Pending SET TRUSTWORTHY ON;
GO
USE Gone;
CREATE QUEUE Q;
CREATE SERVICE InGone ON QUEUE Q ([DEFAULT]);
GO
USE Pending;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
-- WITH ERROR deletes the pending messages; nobody ever heard of the dialog, so nothing is left (2.19).
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one'); SEND ON CONVERSATION @h (N'two');
SELECT message_sequence_number, to_service_name, to_broker_instance, from_service_name, service_contract_name, enqueue_time,
    message_type_name, is_conversation_error, is_end_of_dialog, CAST(message_body AS nvarchar(10)), priority FROM sys.transmission_queue ORDER BY message_sequence_number;
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'never mind';
SELECT COUNT(*) FROM sys.transmission_queue WHERE is_conversation_error = 0;
GO
--! rows
--! 0 | Nobody | NULL | S1 | DEFAULT | 2026-01-01 00:00:00.000 | DEFAULT | 0 | 0 | one | 5
--! 1 | Nobody | NULL | S1 | DEFAULT | 2026-01-01 00:00:00.000 | DEFAULT | 0 | 0 | two | 5
--! rows
--! 0
--! spec END-9 PENDING-2 PENDING-3 PENDING-4
-- A rollback takes the rows away; several messages of one dialog arrive in order when the way is free.
DECLARE @h uniqueidentifier;
BEGIN TRANSACTION;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Later' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'undone');
ROLLBACK;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Later' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'1'); SEND ON CONVERSATION @h (N'2'); SEND ON CONVERSATION @h (N'3');
END CONVERSATION @h;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'Later';
GO
--! rows
--! DO
--! rows
--! 4
--! spec SEND-44 END-7
--! restart
USE Pending;
CREATE QUEUE Q3;
CREATE SERVICE Later ON QUEUE Q3 ([DEFAULT]);
GO
--! advance 70s
SELECT message_sequence_number, CAST(message_body AS nvarchar(10)), message_type_id FROM Q3 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'Later';
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q3);
END CONVERSATION @t;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1 AND far_service = 'Later';
GO
--! rows
--! 0 | 1 | 14
--! 1 | 2 | 14
--! 2 | 3 | 14
--! 3 | NULL | 2
--! rows
--! 0
--! rows
--! 0
--! spec PENDING-9 CHANGE-12 END-7
-- Pending messages are held when the peer has ended (3.3): they stay until END on this side.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'first');
RECEIVE @t = conversation_handle FROM Q2;
ALTER QUEUE Q2 WITH STATUS = OFF;
SEND ON CONVERSATION @h (N'pending');
END CONVERSATION @t WITH ERROR = 5 DESCRIPTION = N'enough';
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! advance 70s
SELECT CAST(message_body AS nvarchar(10)), CASE WHEN transmission_status <> '' THEN 'held' END FROM sys.transmission_queue WHERE to_service_name = 'S2';
SELECT COUNT(*) FROM Q2;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.transmission_queue WHERE to_service_name = 'S2');
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'S2';
GO
--! rows
--! pending | held
--! rows
--! 0
--! rows
--! ER
--! rows
--! 0
--! spec CHANGE-14 CHANGE-16
-- Plain END of the peer: EndDialog, the pending message is held (9779).
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'first');
RECEIVE @t = conversation_handle FROM Q2;
ALTER QUEUE Q2 WITH STATUS = OFF;
SEND ON CONVERSATION @h (N'pending');
END CONVERSATION @t;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT CASE WHEN GET_TRANSMISSION_STATUS(@h) <> '' THEN 'held' END;
ALTER QUEUE Q2 WITH STATUS = ON;
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'S2';
GO
--! rows
--! DI
--! rows
--! held
--! rows
--! 0
--! spec CHANGE-15
-- The peer's database is dropped: what is sent then does not arrive, and the lifetime ends the dialog at the latest.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'InGone' WITH ENCRYPTION = OFF, LIFETIME = 120;
SEND ON CONVERSATION @h (N'first');
DROP DATABASE Gone;
SEND ON CONVERSATION @h (N'second');
GO
--! advance 121s
SELECT state FROM sys.conversation_endpoints WHERE far_service = 'InGone';
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE far_service = 'InGone');
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'InGone';
GO
--! rows
--! ER
--! rows
--! 0
