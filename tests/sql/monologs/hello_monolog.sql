-- One publisher, two subscribers: everything arrives once at each, in order, with the same numbers and ids.
CREATE DATABASE M;
GO
USE M;
CREATE MESSAGE TYPE [//m/price] VALIDATION = NONE;
CREATE CONTRACT [//m/c] ([//m/price] SENT BY INITIATOR);
CREATE QUEUE PubQueue; CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE [//m/pub] ON QUEUE PubQueue;
CREATE SERVICE [//m/one] ON QUEUE Q1 ([//m/c]);
CREATE SERVICE [//m/two] ON QUEUE Q2 ([//m/c]);
CREATE TABLE Handles (name sysname, h uniqueidentifier);
GO
--! session main in M
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
GO
DECLARE @h uniqueidentifier;
BEGIN MONOLOG CONVERSATION @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('pub', @h);
SELECT state, is_initiator, far_service, send_sequence FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! SO | 1 |  | 0
SELECT is_initiator, state, far_service, receive_sequence FROM sys.conversation_endpoints ORDER BY is_initiator;
GO
--! rows
--! 0 | SI | //m/pub | 0
--! 0 | SI | //m/pub | 0
--! 1 | SO |  | 0
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
SEND ON CONVERSATION @h MESSAGE TYPE [//m/price] ('first');
SEND ON CONVERSATION @h MESSAGE TYPE [//m/price] ('second');
GO
SELECT COUNT(DISTINCT conversation_id) AS ids, COUNT(*) AS sides, COUNT(DISTINCT conversation_group_id) AS groups
FROM sys.conversation_endpoints;
GO
--! rows
--! 1 | 3 | 3
RECEIVE message_sequence_number, service_name, message_type_name, CAST(message_body AS varchar(20)) AS body, message_id FROM Q1;
GO
--! rows
--! 0 | //m/one | //m/price | first | {first}
--! 1 | //m/one | //m/price | second | {second}
RECEIVE message_sequence_number, service_name, message_type_name, CAST(message_body AS varchar(20)) AS body, message_id FROM Q2;
GO
--! rows
--! 0 | //m/two | //m/price | first | {first}
--! 1 | //m/two | //m/price | second | {second}
SELECT is_initiator, state, send_sequence, receive_sequence FROM sys.conversation_endpoints ORDER BY is_initiator;
GO
--! rows
--! 0 | CO | 0 | 2
--! 0 | CO | 0 | 2
--! 1 | CO | 2 | 0
SELECT state, send_sequence, retention_period, retained_messages, subscribers FROM sys.monologs;
SELECT far_service, state_desc, start_sequence, waiting_messages FROM sys.monolog_subscribers ORDER BY far_service;
SELECT s.name, m.far_service, m.start_desc, m.joined FROM sys.monolog_subscriptions m JOIN sys.services s ON s.service_id = m.service_id ORDER BY s.name;
GO
--! rows
--! CO | 2 | 0 | 0 | 2
--! rows
--! //m/one | CONVERSING | 0 | 0
--! //m/two | CONVERSING | 0 | 0
--! rows
--! //m/one | //m/pub | NOW | 1
--! //m/two | //m/pub | NOW | 1
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1;
GO
--! rows
--! 0
DECLARE @h uniqueidentifier, @type sysname;
RECEIVE @h = conversation_handle, @type = message_type_name FROM Q1;
PRINT @type;
END CONVERSATION @h;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT COUNT(*) FROM sys.monologs;
GO
--! print EndDialog
--! rows
--! CD
--! rows
--! 0
--! advance 31m
SELECT state FROM sys.conversation_endpoints;
GO
--! rows
--! DI
--! spec MONOLOG-2 MONOLOG-4 MONOLOG-18 MONOLOG-21
