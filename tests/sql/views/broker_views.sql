-- The columns of every broker view, in their order.
CREATE DATABASE Shown;
GO
USE Shown;
SELECT TOP (0) * FROM sys.service_message_types;
SELECT TOP (0) * FROM sys.service_contracts;
SELECT TOP (0) * FROM sys.service_contract_message_usages;
SELECT TOP (0) * FROM sys.services;
SELECT TOP (0) * FROM sys.service_contract_usages;
SELECT TOP (0) * FROM sys.service_queue_usages;
SELECT TOP (0) * FROM sys.service_queues;
SELECT TOP (0) * FROM sys.routes;
SELECT TOP (0) * FROM sys.remote_service_bindings;
GO
--! rows
--! columns name | message_type_id | principal_id | validation | validation_desc | xml_collection_id
--! rows
--! columns name | service_contract_id | principal_id
--! rows
--! columns service_contract_id | message_type_id | is_sent_by_initiator | is_sent_by_target
--! rows
--! columns name | service_id | principal_id | service_queue_id
--! rows
--! columns service_id | service_contract_id
--! rows
--! columns service_id | service_queue_id
--! rows
--! columns name | object_id | principal_id | schema_id | parent_object_id | type | type_desc | create_date | modify_date | is_ms_shipped | is_published | is_schema_published | max_readers | activation_procedure | execute_as_principal_id | is_activation_enabled | is_receive_enabled | is_enqueue_enabled | is_retention_enabled | is_poison_message_handling_enabled
--! rows
--! columns name | route_id | principal_id | remote_service_name | broker_instance | lifetime | address | mirror_address
--! rows
--! columns name | remote_service_binding_id | principal_id | remote_service_name | service_contract_id | remote_principal_id | is_anonymous_on
SELECT TOP (0) * FROM sys.conversation_endpoints;
SELECT TOP (0) * FROM sys.conversation_groups;
SELECT TOP (0) * FROM sys.conversation_priorities;
SELECT TOP (0) * FROM sys.transmission_queue;
SELECT TOP (0) * FROM sys.message_type_xml_schema_collection_usages;
SELECT TOP (0) * FROM sys.dm_broker_activated_tasks;
SELECT TOP (0) * FROM sys.dm_broker_queue_monitors;
SELECT TOP (0) * FROM sys.dm_broker_forwarded_messages;
SELECT TOP (0) * FROM sys.event_notifications;
SELECT TOP (0) * FROM sys.event_notification_event_types;
GO
--! rows
--! columns conversation_handle | conversation_id | is_initiator | service_contract_id | conversation_group_id | service_id | lifetime | state | state_desc | far_service | far_broker_instance | principal_id | far_principal_id | outbound_session_key_identifier | inbound_session_key_identifier | security_timestamp | dialog_timer | send_sequence | last_send_tran_id | end_dialog_sequence | receive_sequence | receive_sequence_frag | system_sequence | first_out_of_order_sequence | last_out_of_order_sequence | last_out_of_order_frag | is_system | priority
--! rows
--! columns conversation_group_id | service_id | is_system
--! rows
--! columns priority_id | name | service_contract_id | local_service_id | remote_service_name | priority
--! rows
--! columns conversation_handle | to_service_name | to_broker_instance | from_service_name | service_contract_name | enqueue_time | message_sequence_number | message_type_name | is_conversation_error | is_end_of_dialog | message_body | transmission_status | priority
--! rows
--! columns message_type_id | xml_collection_id
--! rows
--! columns spid | database_id | queue_id | procedure_name | execute_as
--! rows
--! columns database_id | queue_id | state | last_empty_rowset_time | last_activated_time | tasks_waiting
--! rows
--! columns conversation_id | is_initiator | to_service_name | to_broker_instance | from_service_name | from_broker_instance | adjacent_broker_address | message_sequence_number | message_fragment_number | hops_remaining | time_to_live | time_consumed | message_id
--! rows
--! columns name | object_id | parent_class | parent_class_desc | parent_id | create_date | modify_date | service_name | broker_instance | principal_id | creator_sid
--! rows
--! columns type | type_name | parent_type
-- The built-in objects of every database (1.3).
SELECT message_type_id, REPLACE(name, 'http://schemas.microsoft.com/SQL/', ''), validation FROM sys.service_message_types ORDER BY message_type_id;
SELECT REPLACE(c.name, 'http://schemas.microsoft.com/SQL/', ''), COUNT(*), SUM(CAST(u.is_sent_by_initiator AS int)), SUM(CAST(u.is_sent_by_target AS int))
FROM sys.service_contracts c JOIN sys.service_contract_message_usages u ON u.service_contract_id = c.service_contract_id GROUP BY c.name ORDER BY c.name;
SELECT REPLACE(s.name, 'http://schemas.microsoft.com/SQL/', ''), q.name, SCHEMA_NAME(q.schema_id),
    (SELECT COUNT(*) FROM sys.service_contract_usages u WHERE u.service_id = s.service_id)
FROM sys.services s JOIN sys.service_queues q ON q.object_id = s.service_queue_id ORDER BY q.name;
GO
--! rows
--! 1 | ServiceBroker/Error | X 
--! 2 | ServiceBroker/EndDialog | E 
--! 3 | Notifications/QueryNotification | X 
--! 4 | Notifications/EventNotification | X 
--! 5 | ServiceBroker/DialogTimer | E 
--! 6 | ServiceBroker/BrokerConfigurationNotice/MissingRoute | X 
--! 7 | ServiceBroker/BrokerConfigurationNotice/FailedRoute | X 
--! 8 | ServiceBroker/BrokerConfigurationNotice/MissingRemoteServiceBinding | X 
--! 9 | ServiceBroker/BrokerConfigurationNotice/FailedRemoteServiceBinding | X 
--! 10 | ServiceBroker/ServiceEcho/Echo | N 
--! 11 | ServiceBroker/ServiceDiagnostic/Query | X 
--! 12 | ServiceBroker/ServiceDiagnostic/Status | X 
--! 13 | ServiceBroker/ServiceDiagnostic/Description | N 
--! 14 | DEFAULT | N 
--! rows unordered
--! DEFAULT | 1 | 1 | 1
--! Notifications/PostEventNotification | 1 | 1 | 0
--! Notifications/PostQueryNotification | 1 | 1 | 0
--! ServiceBroker/BrokerConfigurationNotice | 4 | 4 | 0
--! ServiceBroker/ServiceDiagnostic | 3 | 1 | 2
--! ServiceBroker/ServiceEcho | 1 | 1 | 1
--! rows
--! Notifications/EventNotificationService | EventNotificationErrorsQueue | dbo | 0
--! Notifications/QueryNotificationService | QueryNotificationErrorsQueue | dbo | 0
--! ServiceBroker/ServiceBroker | ServiceBrokerQueue | dbo | 2
--! spec BUILTIN-1..14 BUILTINSERVICE-1..3
-- Objects, and the internal table of a queue.
CREATE QUEUE Q;
SELECT name, type, type_desc FROM sys.objects WHERE name = 'Q';
SELECT OBJECT_NAME(OBJECT_ID('dbo.Q')), OBJECT_NAME(parent_object_id), type FROM sys.internal_tables WHERE name LIKE 'queue_messages%' AND parent_object_id = OBJECT_ID('Q');
GO
--! rows
--! Q | SQ | SERVICE_QUEUE
--! rows
--! Q | Q | IT
-- One dialog seen in endpoints: sequences, shared id, each side's own group (1.4, 3.5, 10.10).
CREATE SERVICE A ON QUEUE Q ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE A TO SERVICE 'A' WITH ENCRYPTION = OFF, LIFETIME = 100;
SEND ON CONVERSATION @h (N'1'); SEND ON CONVERSATION @h (N'2');
SELECT is_initiator, state, send_sequence, receive_sequence, end_dialog_sequence, lifetime, principal_id, is_system, priority FROM sys.conversation_endpoints ORDER BY is_initiator;
SELECT COUNT(DISTINCT conversation_id), COUNT(DISTINCT conversation_handle), COUNT(DISTINCT conversation_group_id) FROM sys.conversation_endpoints;
END CONVERSATION @h;
SELECT is_initiator, state, send_sequence, receive_sequence, end_dialog_sequence FROM sys.conversation_endpoints ORDER BY is_initiator;
GO
--! rows
--! 0 | CO | 0 | 2 | -1 | 2026-01-01 00:01:40.000 | 1 | 0 | 5
--! 1 | CO | 2 | 0 | -1 | 2026-01-01 00:01:40.000 | 1 | 0 | 5
--! rows
--! 1 | 2 | 2
--! rows
--! 0 | DI | 0 | 3 | 2
--! 1 | DO | 3 | 0 | 2
