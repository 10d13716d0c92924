-- CREATE, ALTER, DROP SERVICE.
CREATE DATABASE Services;
GO
USE Services;
CREATE MESSAGE TYPE M;
CREATE CONTRACT C1 (M SENT BY ANY);
CREATE CONTRACT C2 (M SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3;
CREATE SERVICE S0 ON QUEUE Q1;
CREATE SERVICE S1 AUTHORIZATION dbo ON QUEUE dbo.Q1 (C1, [DEFAULT]);
GO
SELECT s.name, c.name FROM sys.services s JOIN sys.service_contract_usages u ON u.service_id = s.service_id
JOIN sys.service_contracts c ON c.service_contract_id = u.service_contract_id WHERE s.name LIKE 'S_' ORDER BY c.name;
SELECT s.name, q.name FROM sys.services s JOIN sys.service_queue_usages u ON u.service_id = s.service_id
JOIN sys.service_queues q ON q.object_id = u.service_queue_id WHERE s.service_queue_id = q.object_id AND s.name LIKE 'S_' ORDER BY s.name;
GO
--! rows
--! S1 | C1
--! S1 | DEFAULT
--! rows
--! S0 | Q1
--! S1 | Q1
--! spec SERVICE-1 SERVICE-6 SERVICE-8 SERVICEVIEW-1 SERVICEVIEW-2
CREATE SERVICE S1 ON QUEUE Q1;
GO
--! error 2714
--! spec SERVICE-11
CREATE SERVICE S2 ON QUEUE Q1 (C1, C1);
GO
--! error 8404
--! spec SERVICE-9
CREATE SERVICE S2 ON QUEUE Q1 (NoSuch);
GO
--! error 15151
CREATE SERVICE S2 ON QUEUE NoSuch;
GO
--! error 208
--! spec SERVICE-10
-- ALTER that changes nothing.
ALTER SERVICE S1 ON QUEUE Q1;
GO
--! error 8493
--! spec SERVICE-16
ALTER SERVICE S1 (ADD CONTRACT C1);
GO
--! error 8404
ALTER SERVICE S1 (DROP CONTRACT C2);
GO
--! error 15151
--! spec SERVICE-23
ALTER SERVICE NoSuch (ADD CONTRACT C2);
GO
--! error 15151
DROP SERVICE NoSuch;
GO
--! error 15151
ALTER SERVICE S1 (ADD CONTRACT C2, DROP CONTRACT [DEFAULT]);
SELECT c.name FROM sys.services s JOIN sys.service_contract_usages u ON u.service_id = s.service_id
JOIN sys.service_contracts c ON c.service_contract_id = u.service_contract_id WHERE s.name = 'S1' ORDER BY c.name;
GO
--! rows
--! C1
--! C2
--! spec SERVICE-15 SERVICE-24
ALTER SERVICE [http://schemas.microsoft.com/SQL/ServiceBroker/ServiceBroker] (ADD CONTRACT C2);
GO
--! error 9663
--! spec SERVICE-25
DROP SERVICE [http://schemas.microsoft.com/SQL/ServiceBroker/ServiceBroker];
GO
--! error 3708
--! spec SERVICE-30
-- A priority that names it as local service keeps the service.
CREATE BROKER PRIORITY P FOR CONVERSATION SET (LOCAL_SERVICE_NAME = S1);
GO
DROP SERVICE S1;
GO
--! error 3716
--! spec SERVICE-29
DROP BROKER PRIORITY P;
GO
-- ALTER ... ON QUEUE moves the messages of the service, and only those.
DECLARE @a uniqueidentifier, @b uniqueidentifier;
CREATE SERVICE Other ON QUEUE Q1 (C1);
BEGIN DIALOG @a FROM SERVICE S0 TO SERVICE 'S1' ON CONTRACT C1 WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a MESSAGE TYPE M (N'moves');
BEGIN DIALOG @b FROM SERVICE S0 TO SERVICE 'Other' ON CONTRACT C1 WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @b MESSAGE TYPE M (N'stays');
ALTER SERVICE S1 ON QUEUE Q2;
SELECT CAST(message_body AS nvarchar(10)), service_name FROM Q1;
SELECT CAST(message_body AS nvarchar(10)), service_name FROM Q2;
SEND ON CONVERSATION @a MESSAGE TYPE M (N'after');
RECEIVE CAST(message_body AS nvarchar(10)), message_sequence_number FROM Q2;
GO
--! rows
--! stays | Other
--! rows
--! moves | S1
--! rows
--! moves | 0
--! after | 1
--! spec SERVICE-17 SERVICE-18
-- DROP CONTRACT: no new conversations on it; the target refuses with -8408.
ALTER SERVICE S1 (DROP CONTRACT C1);
DECLARE @a uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S0 TO SERVICE 'S1' ON CONTRACT C1 WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a MESSAGE TYPE M (N'refused');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1 WHERE conversation_handle = @a;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @a;
END CONVERSATION @a;
GO
--! rows
--! -8408
--! rows
--! ER
--! spec SERVICE-21
-- DROP SERVICE: its messages and conversations go, the peer gets Error -8470.
DROP SERVICE Other;
SELECT COUNT(*) FROM Q1 WHERE service_name = 'Other';
SELECT e.state, e.is_initiator, e.far_service FROM sys.conversation_endpoints e WHERE e.far_service = 'Other';
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'), message_type_id FROM Q1;
GO
--! rows
--! 0
--! rows
--! ER | 1 | Other
--! rows
--! -8470 | 1
--! spec SERVICE-26 SERVICE-28
-- DROP CONTRACT on a running conversation: the peer sees -8487 (2.2).
ALTER SERVICE S1 (DROP CONTRACT C2);
ALTER SERVICE S1 (ADD CONTRACT C1);
DECLARE @a uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S0 TO SERVICE 'S1' ON CONTRACT C1 WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a MESSAGE TYPE M (N'running');
ALTER SERVICE S1 (DROP CONTRACT C1);
DROP CONTRACT C1;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @a;
SELECT COUNT(*) FROM Q1 WHERE conversation_handle = @a AND message_type_id = 1;
GO
--! rows
--! ER
--! rows
--! *
