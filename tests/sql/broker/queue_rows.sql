-- The columns of a queue's rows, their status values, retention.
CREATE DATABASE Rows1;
GO
USE Rows1;
CREATE MESSAGE TYPE Doc VALIDATION = WELL_FORMED_XML; CREATE MESSAGE TYPE Nothing VALIDATION = EMPTY;
CREATE CONTRACT C (Doc SENT BY ANY, Nothing SENT BY ANY, [DEFAULT] SENT BY ANY);
CREATE QUEUE Q; CREATE QUEUE Inbox;
CREATE SERVICE Asks ON QUEUE Q; CREATE SERVICE Answers ON QUEUE Inbox (C); CREATE SERVICE Others ON QUEUE Inbox (C);
CREATE TABLE Handles (h uniqueidentifier);
DECLARE @a uniqueidentifier, @b uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE Asks TO SERVICE 'Answers' ON CONTRACT C WITH ENCRYPTION = OFF; INSERT Handles VALUES (@a);
BEGIN DIALOG @b FROM SERVICE Asks TO SERVICE 'Others' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a MESSAGE TYPE Doc (CAST(N'<a/>' AS xml));
SEND ON CONVERSATION @b MESSAGE TYPE Nothing;
SEND ON CONVERSATION @a (0x01);
SELECT q.status, q.priority, q.queuing_order, CASE WHEN e.conversation_group_id = q.conversation_group_id AND e.is_initiator = 0 THEN 'target''s' END,
    q.message_sequence_number, q.service_name, CASE WHEN s.name = q.service_name THEN 'id' END, q.service_contract_name, CASE WHEN c.name = q.service_contract_name THEN 'id' END,
    q.message_type_name, CASE WHEN m.name = q.message_type_name AND m.validation = q.validation THEN 'id' END, q.validation, CASE WHEN q.message_body IS NULL THEN 'no body' END
FROM Inbox q JOIN sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle JOIN sys.services s ON s.service_id = q.service_id
JOIN sys.service_contracts c ON c.service_contract_id = q.service_contract_id JOIN sys.service_message_types m ON m.message_type_id = q.message_type_id ORDER BY q.queuing_order;
GO
--! rows
--! 1 | 5 | 0 | target's | 0 | Answers | id | C | id | Doc | id | X | NULL
--! 1 | 5 | 1 | target's | 0 | Others | id | C | id | Nothing | id | E | no body
--! 1 | 5 | 2 | target's | 1 | Answers | id | C | id | DEFAULT | id | N | NULL
--! spec STATUS-1 QUEUE-59 QUEUE-60 QUEUE-61 QUEUE-62 QUEUE-63 QUEUE-64 QUEUE-65
SELECT TOP (0) * FROM Inbox;
BEGIN TRANSACTION; RECEIVE TOP (0) * FROM Inbox; ROLLBACK;
GO
--! rows
--! columns status | priority | queuing_order | conversation_group_id | conversation_handle | message_sequence_number | service_name | service_id | service_contract_name | service_contract_id | message_type_name | message_type_id | validation | message_body | message_id | message_enqueue_time
--! rows
--! columns status | priority | queuing_order | conversation_group_id | conversation_handle | message_sequence_number | service_name | service_id | service_contract_name | service_contract_id | message_type_name | message_type_id | validation | message_body
--! spec QUEUE-66
-- Without retention a message that is received is gone; the result itself shows status 0.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles), @t uniqueidentifier;
RECEIVE status, message_sequence_number FROM Inbox;
SELECT COUNT(*) FROM Inbox WHERE service_name = 'Answers'; SELECT COUNT(*) FROM Q;
GO
--! rows
--! 0 | 0
--! 0 | 1
--! rows
--! 0
--! rows
--! 0
--! spec STATUS-4 RETENTION-7
-- With retention it stays, and so does a copy of what is sent.
ALTER QUEUE Q WITH RETENTION = ON; ALTER QUEUE Inbox WITH RETENTION = ON;
RECEIVE TOP (1) status FROM Inbox;
GO
--! rows
--! 0
DECLARE @t uniqueidentifier;
SELECT @t = conversation_handle FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE s.name = 'Answers';
DECLARE @h uniqueidentifier = (SELECT h FROM Handles);
SEND ON CONVERSATION @h (0x02); SEND ON CONVERSATION @h (0x03);
SELECT status, message_body, service_name FROM Q ORDER BY queuing_order;
RECEIVE TOP (1) status, message_body FROM Inbox WHERE conversation_handle = @t;
SELECT status, message_body FROM Inbox WHERE service_name = 'Answers' ORDER BY queuing_order;
RECEIVE message_body FROM Inbox WHERE conversation_handle = @t;
RECEIVE message_body FROM Inbox WHERE conversation_handle = @t;
RECEIVE message_body FROM Q;
SEND ON CONVERSATION @t (0x04);
SELECT status, message_body FROM Inbox WHERE service_name = 'Answers' ORDER BY queuing_order;
GO
--! rows
--! 3 | 0x02 | Asks
--! 3 | 0x03 | Asks
--! rows
--! 0 | 0x02
--! rows
--! 0 | 0x02
--! 1 | 0x03
--! rows
--! 0x03
--! rows
--! rows
--! rows
--! 0 | 0x02
--! 0 | 0x03
--! 3 | 0x04
--! spec RETENTION-1 RETENTION-2 RETENTION-5 STATUS-2 STATUS-3
-- OFF leaves what is retained; the end of this side removes it, that of the other side does not.
ALTER QUEUE Q WITH RETENTION = OFF; ALTER QUEUE Inbox WITH RETENTION = OFF;
SELECT COUNT(*) FROM Q WHERE status = 3; SELECT COUNT(*) FROM Inbox WHERE service_name = 'Answers' AND status IN (0, 3);
GO
--! rows
--! 2
--! rows
--! 3
--! spec RETENTION-6
DECLARE @t uniqueidentifier = (SELECT e.conversation_handle FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE s.name = 'Answers');
END CONVERSATION @t;
SELECT COUNT(*) FROM Inbox WHERE service_name = 'Answers'; SELECT COUNT(*) FROM Q WHERE status = 3;
DECLARE @h uniqueidentifier = (SELECT h FROM Handles);
END CONVERSATION @h;
SELECT COUNT(*) FROM Q;
GO
--! rows
--! 0
--! rows
--! 2
--! rows
--! 0
--! spec RETENTION-3 RETENTION-4
