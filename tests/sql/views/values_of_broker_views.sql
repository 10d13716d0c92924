-- Every column of the views of conversations and queues with a value in it, of one dialog that is under way and one that cannot be delivered.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE MESSAGE TYPE Order_placed VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT Ordering (Order_placed SENT BY INITIATOR);
CREATE QUEUE Asking;
GO
CREATE PROCEDURE Reads AS WAITFOR (RECEIVE TOP (1) * FROM Answering), TIMEOUT 1000;
GO
CREATE QUEUE Answering WITH STATUS = ON, RETENTION = ON, ACTIVATION (STATUS = OFF, PROCEDURE_NAME = Reads, MAX_QUEUE_READERS = 3, EXECUTE AS SELF),
    POISON_MESSAGE_HANDLING (STATUS = OFF);
CREATE SERVICE Asker ON QUEUE Asking; CREATE SERVICE Answerer ON QUEUE Answering (Ordering);
CREATE BROKER PRIORITY Urgent FOR CONVERSATION SET (CONTRACT_NAME = Ordering, LOCAL_SERVICE_NAME = Asker, REMOTE_SERVICE_NAME = N'Answerer', PRIORITY_LEVEL = 8);
DECLARE @h uniqueidentifier, @lost uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Answerer' ON CONTRACT Ordering WITH ENCRYPTION = OFF, LIFETIME = 3600;
SEND ON CONVERSATION @h MESSAGE TYPE Order_placed (N'<order/>');
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60;
BEGIN DIALOG @lost FROM SERVICE Asker TO SERVICE 'Nobody', 'A0000000-0000-0000-0000-000000000001' ON CONTRACT Ordering WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @lost MESSAGE TYPE Order_placed (N'<lost/>');
GO
SELECT name, principal_id, validation, validation_desc, xml_collection_id FROM sys.service_message_types WHERE name = 'Order_placed';
SELECT c.name, c.principal_id, u.is_sent_by_initiator, u.is_sent_by_target FROM sys.service_contracts c
JOIN sys.service_contract_message_usages u ON u.service_contract_id = c.service_contract_id
JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id WHERE m.name = 'Order_placed';
SELECT name, principal_id, SCHEMA_NAME(schema_id), parent_object_id, type, type_desc, create_date, modify_date, is_ms_shipped, is_published, is_schema_published, max_readers,
    activation_procedure, USER_NAME(execute_as_principal_id), is_activation_enabled, is_receive_enabled, is_enqueue_enabled, is_retention_enabled, is_poison_message_handling_enabled
FROM sys.service_queues WHERE object_id = OBJECT_ID('Answering');
SELECT p.name, c.name, s.name, p.remote_service_name, p.priority FROM sys.conversation_priorities p
JOIN sys.service_contracts c ON c.service_contract_id = p.service_contract_id JOIN sys.services s ON s.service_id = p.local_service_id;
GO
--! rows
--! Order_placed | 1 | X | XML | NULL
--! rows
--! Ordering | 1 | 1 | 0
--! rows
--! Answering | NULL | dbo | 0 | SQ | SERVICE_QUEUE | 2026-01-01 00:00:00.000 | 2026-01-01 00:00:00.000 | 0 | 0 | 0 | 3 | [Shop].[dbo].[Reads] | dbo | 0 | 1 | 1 | 1 | 0
--! rows
--! Urgent | Ordering | Asker | Answerer | 8
--! spec COLUMN-1..33 COLUMN-88..92
SELECT e.is_initiator, c.name, s.name, e.lifetime, e.state, e.state_desc, e.far_service, CASE WHEN e.far_broker_instance = (SELECT CAST(service_broker_guid AS nvarchar(128)) FROM sys.databases WHERE name = 'Shop') THEN 'Shop' ELSE e.far_broker_instance END,
    USER_NAME(e.principal_id), e.far_principal_id, e.outbound_session_key_identifier, e.inbound_session_key_identifier, e.security_timestamp, e.dialog_timer, e.send_sequence,
    e.end_dialog_sequence, e.receive_sequence, e.receive_sequence_frag, e.system_sequence, e.first_out_of_order_sequence, e.last_out_of_order_sequence, e.last_out_of_order_frag, e.is_system, e.priority
FROM sys.conversation_endpoints e JOIN sys.service_contracts c ON c.service_contract_id = e.service_contract_id JOIN sys.services s ON s.service_id = e.service_id ORDER BY e.far_service;
SELECT s.name, g.is_system, (SELECT COUNT(*) FROM sys.conversation_endpoints e WHERE e.conversation_group_id = g.conversation_group_id) FROM sys.conversation_groups g
JOIN sys.services s ON s.service_id = g.service_id ORDER BY s.name;
SELECT IIF(t.conversation_handle = e.conversation_handle, 'of Asker', ''), t.to_service_name, t.to_broker_instance, t.from_service_name, t.service_contract_name, t.enqueue_time, t.message_sequence_number,
    t.message_type_name, t.is_conversation_error, t.is_end_of_dialog, CAST(t.message_body AS nvarchar(20)), IIF(t.transmission_status = '', 'none', 'a reason'), t.priority
FROM sys.transmission_queue t JOIN sys.conversation_endpoints e ON e.far_service = 'Nobody';
SELECT q.status, q.priority, q.queuing_order, IIF(g.conversation_group_id IS NULL, '', 'a group'), IIF(e.conversation_handle IS NULL, '', 'an endpoint'), q.message_sequence_number, q.service_name, IIF(q.service_id = s.service_id, 'its id', ''),
    q.service_contract_name, IIF(q.service_contract_id = c.service_contract_id, 'its id', ''), q.message_type_name, IIF(q.message_type_id = m.message_type_id, 'its id', ''), q.validation, CAST(q.message_body AS nvarchar(20)),
    IIF(q.message_id = '00000000-0000-0000-0000-000000000000', 'none', 'an id'), q.message_enqueue_time
FROM Answering q LEFT JOIN sys.conversation_groups g ON g.conversation_group_id = q.conversation_group_id LEFT JOIN sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle
JOIN sys.services s ON s.name = q.service_name JOIN sys.service_contracts c ON c.name = q.service_contract_name JOIN sys.service_message_types m ON m.name = q.message_type_name;
GO
--! rows
--! 1 | Ordering | Asker | 2026-01-01 01:00:00.000 | CO | CONVERSING | Answerer | Shop | dbo | * | 00000000-0000-0000-0000-000000000000 | 00000000-0000-0000-0000-000000000000 | 1900-01-01 00:00:00.000 | 2026-01-01 00:01:00.000 | 1 | -1 | 0 | 0 | 0 | -1 | -1 | -1 | 0 | 8
--! 0 | Ordering | Answerer | 2026-01-01 01:00:00.000 | CO | CONVERSING | Asker | Shop | dbo | * | 00000000-0000-0000-0000-000000000000 | 00000000-0000-0000-0000-000000000000 | 1900-01-01 00:00:00.000 | 1900-01-01 00:00:00.000 | 0 | -1 | 1 | 0 | 0 | -1 | -1 | -1 | 0 | 5
--! 1 | Ordering | Asker | 2094-01-19 03:14:07.000 | CO | CONVERSING | Nobody | NULL | dbo | * | 00000000-0000-0000-0000-000000000000 | 00000000-0000-0000-0000-000000000000 | 1900-01-01 00:00:00.000 | 1900-01-01 00:00:00.000 | 1 | -1 | 0 | 0 | 0 | -1 | -1 | -1 | 0 | 5
--! rows
--! Answerer | 0 | 1
--! Asker | 0 | 1
--! Asker | 0 | 1
--! rows
--! of Asker | Nobody | A0000000-0000-0000-0000-000000000001 | Asker | Ordering | 2026-01-01 00:00:00.000 | 0 | Order_placed | 0 | 0 | <lost/> | a reason | 5
--! rows
--! 1 | 5 | 0 | a group | an endpoint | 0 | Answerer | its id | Ordering | its id | Order_placed | its id | X | <order/> | an id | 2026-01-01 00:00:00.000
--! spec CONVCOLUMN-1 CONVCOLUMN-3..12 CONVCOLUMN-14..18 CONVCOLUMN-20..44 COLUMN-93..108
