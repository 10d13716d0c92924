-- Queue RETENTION and STATUS = OFF.
CREATE DATABASE Keeps;
GO
USE Keeps;
CREATE QUEUE Q1 WITH RETENTION = ON;
CREATE QUEUE Q2 WITH RETENTION = ON;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'question');
-- A sent message leaves a copy with status 3 in the sender's own queue.
SELECT status, CAST(message_body AS nvarchar(20)), service_name FROM Q1;
SELECT status, CAST(message_body AS nvarchar(20)), service_name FROM Q2;
RECEIVE status, CAST(message_body AS nvarchar(20)) FROM Q1;
RECEIVE status, CAST(message_body AS nvarchar(20)) FROM Q2;
-- Received: status 0, and never again.
SELECT status, CAST(message_body AS nvarchar(20)) FROM Q2;
RECEIVE * FROM Q2;
SELECT @t = conversation_handle FROM Q2;
SEND ON CONVERSATION @t (N'answer');
SELECT status, CAST(message_body AS nvarchar(20)), message_sequence_number FROM Q2 ORDER BY queuing_order;
SELECT status, CAST(message_body AS nvarchar(20)), message_sequence_number FROM Q1 ORDER BY queuing_order;
GO
--! rows
--! 3 | question | S1
--! rows
--! 1 | question | S2
--! rows
--! rows
--! 0 | question
--! rows
--! 0 | question
--! rows
--! rows
--! 0 | question | 0
--! 3 | answer | 0
--! rows
--! 3 | question | 0
--! 1 | answer | 0
--! spec SEND-34 RECEIVE-38 RECEIVE-39 RECEIVE-40 BATCH-8
-- A rollback gives the row its status back.
BEGIN TRANSACTION;
RECEIVE status FROM Q1;
SELECT status FROM Q1 ORDER BY queuing_order;
ROLLBACK;
SELECT status FROM Q1 ORDER BY queuing_order;
GO
--! rows
--! 0
--! rows
--! 3
--! 0
--! rows
--! 3
--! 1
--! spec RECEIVE-41
-- Retained rows survive a restart, and are not ready then.
--! restart
USE Keeps;
SELECT status, CAST(message_body AS nvarchar(20)) FROM Q2 ORDER BY queuing_order;
RECEIVE status FROM Q2;
GO
--! rows
--! 0 | question
--! 3 | answer
--! rows
-- The end of this side removes its retained rows, not those of the peer.
DECLARE @t uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0);
END CONVERSATION @t;
SELECT COUNT(*) FROM Q2;
SELECT status, message_type_id FROM Q1 ORDER BY queuing_order;
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
END CONVERSATION @h;
SELECT COUNT(*) FROM Q1;
GO
--! rows
--! 0
--! rows
--! 3 | 14
--! 1 | 14
--! 1 | 2
--! rows
--! 0
--! spec END-24
-- Sender's queue OFF: with retention SEND is 9618, without it is allowed. BEGIN DIALOG and END are allowed.
ALTER QUEUE Q1 WITH STATUS = OFF;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'refused');
GO
--! error 9618
--! spec SEND-35
ALTER QUEUE Q1 WITH RETENTION = OFF;
ALTER QUEUE Q2 WITH RETENTION = OFF;
GO
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'allowed');
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Q2;
-- The reply finds the queue disabled and waits in the sender's transmission queue.
SEND ON CONVERSATION @t (N'reply');
SELECT to_service_name, from_service_name, CAST(message_body AS nvarchar(20)), CASE WHEN transmission_status <> '' THEN 'reason' END
FROM sys.transmission_queue;
SELECT CASE WHEN GET_TRANSMISSION_STATUS(@t) = (SELECT transmission_status FROM sys.transmission_queue) THEN 'same' END;
SELECT COUNT(*) FROM Q1;
RECEIVE * FROM Q1;
GO
--! rows
--! S1 | S2 | reply | reason
--! rows
--! same
--! rows
--! 0
--! error 9617
--! spec SEND-31 RECEIVE-42 XMITSTATUS-1 XMITSTATUS-5 PENDING-1
-- Transmission rows survive a restart; enabled again, held messages flow.
--! restart
USE Keeps;
SELECT CAST(message_body AS nvarchar(20)) FROM sys.transmission_queue;
ALTER QUEUE Q1 WITH STATUS = ON;
GO
--! rows
--! reply
--! spec PENDING-10
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q1;
SELECT GET_TRANSMISSION_STATUS(NEWID());
GO
--! rows
--! 0
--! rows
--! reply
--! rows
--! 
--! spec XMITSTATUS-4 PENDING-9
-- END while the queue is disabled is part of the poison recovery.
ALTER QUEUE Q2 WITH STATUS = OFF;
DECLARE @t uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0 AND state = 'CO');
END CONVERSATION @t WITH ERROR = 3 DESCRIPTION = N'given up';
SELECT message_type_id FROM Q1;
GO
--! rows
--! 1
--! spec END-33
