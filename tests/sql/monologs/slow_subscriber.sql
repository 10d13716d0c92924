-- A slow subscriber: its messages wait in the transmission queue, in order; nobody else notices.
CREATE DATABASE M;
GO
USE M;
CREATE MESSAGE TYPE [//m/t] VALIDATION = NONE;
CREATE CONTRACT [//m/c] ([//m/t] SENT BY INITIATOR);
CREATE QUEUE PubQueue; CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE [//m/pub] ON QUEUE PubQueue;
CREATE SERVICE [//m/one] ON QUEUE Q1 ([//m/c]);
CREATE SERVICE [//m/two] ON QUEUE Q2 ([//m/c]);
CREATE TABLE Handles (name sysname, h uniqueidentifier);
GO
CREATE PROCEDURE Say @text varchar(20), @name sysname = 'pub' AS
BEGIN
    DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = @name);
    SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] (@text);
END
GO
DECLARE @s uniqueidentifier, @h uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('pub', @h);
EXEC Say 'a';
ALTER QUEUE Q1 WITH STATUS = OFF;
GO
EXEC Say 'b';
EXEC Say 'c';
SELECT CAST(message_body AS varchar(20)) FROM Q1;
SELECT CAST(message_body AS varchar(20)) FROM Q2 ORDER BY queuing_order;
SELECT t.to_service_name, t.from_service_name, t.service_contract_name, t.message_sequence_number, CAST(t.message_body AS varchar(20)), h.name
FROM sys.transmission_queue t JOIN Handles h ON h.h = t.conversation_handle ORDER BY message_sequence_number;
SELECT far_service, state, waiting_messages, CASE WHEN transmission_status = '' THEN '' ELSE 'waits' END FROM sys.monolog_subscribers ORDER BY far_service;
SELECT CASE WHEN GET_TRANSMISSION_STATUS(h) = (SELECT TOP (1) transmission_status FROM sys.transmission_queue) THEN 1 ELSE 0 END FROM Handles;
GO
--! rows
--! a
--! rows
--! a
--! b
--! c
--! rows
--! //m/one | //m/pub | //m/c | 1 | b | pub
--! //m/one | //m/pub | //m/c | 2 | c | pub
--! rows
--! //m/one | CO | 2 | waits
--! //m/two | CO | 0 |
--! rows
--! 1
-- What is rolled back does not stay there. (A transaction sees its own.)
BEGIN TRANSACTION;
EXEC Say 'never';
SELECT COUNT(*) FROM sys.transmission_queue;
ROLLBACK;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 3
--! rows
--! 2
-- The publisher ends: its endpoint goes, the slow one gets everything later, the end last.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles);
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.monologs;
SELECT state_desc, waiting_messages FROM sys.monolog_subscribers;
SELECT message_sequence_number, is_end_of_dialog FROM sys.transmission_queue ORDER BY message_sequence_number;
GO
--! rows
--! 0
--! rows
--! DISCONNECTED_OUTBOUND | 3
--! rows
--! 1 | 0
--! 2 | 0
--! 3 | 1
--! advance 10s
SELECT COUNT(*) FROM sys.transmission_queue;
ALTER QUEUE Q1 WITH STATUS = ON;
GO
--! rows
--! 3
--! settle
SELECT message_sequence_number, ISNULL(CAST(message_body AS varchar(20)), RIGHT(message_type_name, 9)) FROM Q1 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT COUNT(*) FROM sys.monolog_subscribers;
SELECT COUNT(*) FROM sys.conversation_groups g WHERE NOT EXISTS (SELECT * FROM sys.conversation_endpoints e WHERE e.conversation_group_id = g.conversation_group_id);
GO
--! rows
--! 0 | a
--! 1 | b
--! 2 | c
--! 3 | EndDialog
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
-- END WITH ERROR overtakes what waits.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
UPDATE Handles SET h = @h;
ALTER QUEUE Q2 WITH STATUS = OFF;
RECEIVE TOP (10) CAST(message_body AS varchar(20)) FROM Q1;
EXEC Say 'd';
END CONVERSATION @h WITH ERROR = 77 DESCRIPTION = N'no more';
SELECT to_service_name, is_conversation_error FROM sys.transmission_queue;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! a
--! b
--! c
--! NULL
--! rows
--! //m/two | 1
--! settle
SELECT RIGHT(message_type_name, 5), CAST(message_body AS varchar(20)) FROM Q1 WHERE message_type_name NOT LIKE '%Error' ORDER BY queuing_order;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'), CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(50)')
FROM Q1 WHERE message_type_name LIKE '%Error';
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'), conversation_handle FROM Q2 WHERE message_type_name LIKE '%Error';
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST('d' AS varbinary);
GO
--! rows
--! //m/t | d
--! rows
--! 77 | no more
--! rows
--! 77 | *
--! rows
--! 0
--! spec MONOLOG-7 MONOLOG-10 MONOLOG-21 MONOLOG-22
