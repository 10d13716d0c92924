-- Built-in objects stay as they are; AutoCreatedLocal; ids of user objects; system messages on every contract.
CREATE DATABASE Sys1;
GO
USE Sys1;
CREATE MESSAGE TYPE T; CREATE CONTRACT C (T SENT BY INITIATOR); CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q (C);
SELECT CASE WHEN m.message_type_id >= 65536 THEN 1 END, CASE WHEN c.service_contract_id >= 65536 THEN 1 END, CASE WHEN s.service_id >= 65536 THEN 1 END
FROM sys.service_message_types m, sys.service_contracts c, sys.services s WHERE m.name = 'T' AND c.name = 'C' AND s.name = 'S';
SELECT name, remote_service_name, broker_instance, lifetime, address FROM sys.routes;
SELECT COUNT(*) FROM msdb.sys.routes WHERE name = 'AutoCreatedLocal'; SELECT COUNT(*) FROM model.sys.routes WHERE name = 'AutoCreatedLocal';
SELECT COUNT(*) FROM master.sys.routes WHERE name = 'AutoCreatedLocal';
SELECT COUNT(*) FROM sys.service_message_types WHERE name LIKE 'https:%'; SELECT COUNT(*) FROM sys.service_message_types WHERE name LIKE 'http://%';
SELECT name, SCHEMA_NAME(schema_id), is_ms_shipped FROM sys.service_queues WHERE is_ms_shipped = 1 ORDER BY name;
GO
--! rows
--! 1 | 1 | 1
--! rows
--! AutoCreatedLocal | NULL | NULL | NULL | LOCAL
--! rows
--! 1
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0
--! rows
--! 13
--! rows
--! EventNotificationErrorsQueue | dbo | 1
--! QueryNotificationErrorsQueue | dbo | 1
--! ServiceBrokerQueue | dbo | 1
--! spec SYSTEM-1 SYSTEM-2 SYSTEM-3 SYSTEM-4 SYSTEM-5 SYSTEM-6
ALTER MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog] VALIDATION = NONE;
GO
--! error 9663 severity 16
ALTER MESSAGE TYPE [DEFAULT] VALIDATION = EMPTY;
GO
--! error 9663 severity 16
ALTER QUEUE EventNotificationErrorsQueue WITH RETENTION = ON;
GO
--! error 9663
ALTER QUEUE QueryNotificationErrorsQueue REBUILD;
GO
--! error 9663
ALTER SERVICE [http://schemas.microsoft.com/SQL/Notifications/EventNotificationService] ON QUEUE Q;
GO
--! error 9663
--! spec SYSTEM-7 SYSTEM-8 SYSTEM-9
DROP MESSAGE TYPE [DEFAULT];
GO
--! error 3708 severity 16
DROP CONTRACT [http://schemas.microsoft.com/SQL/ServiceBroker/ServiceEcho];
GO
--! error 3708
DROP QUEUE dbo.ServiceBrokerQueue;
GO
--! error 3708
DROP SERVICE [http://schemas.microsoft.com/SQL/Notifications/QueryNotificationService];
GO
--! error 3708
--! spec SYSTEM-10 SYSTEM-11 SYSTEM-12 SYSTEM-13
-- Error, EndDialog and DialogTimer come on a contract that has another type only; nobody can send them.
CREATE QUEUE Answers; CREATE SERVICE Target ON QUEUE Answers (C);
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE T;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
GO
--! advance 6s
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Answers;
END CONVERSATION @t WITH ERROR = 1 DESCRIPTION = N'no';
GO
SELECT REPLACE(message_type_name, 'http://schemas.microsoft.com/SQL/ServiceBroker/', ''), service_contract_name FROM Q ORDER BY 1;
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE T;
END CONVERSATION @h;
SELECT REPLACE(message_type_name, 'http://schemas.microsoft.com/SQL/ServiceBroker/', ''), service_contract_name FROM Answers ORDER BY 1;
GO
--! rows
--! DialogTimer | C
--! Error | C
--! rows
--! EndDialog | C
--! T | C
--! spec SYSTEM-14 SYSTEM-15 SYSTEM-16
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/Error];
GO
--! error 8431
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog];
GO
--! error 8431
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer];
GO
--! error 8431
--! spec SYSTEM-17
-- The other built-in types can stand in a contract of one's own.
CREATE CONTRACT Echoes ([http://schemas.microsoft.com/SQL/ServiceBroker/ServiceEcho/Echo] SENT BY ANY);
ALTER SERVICE Target (ADD CONTRACT Echoes);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'Target' ON CONTRACT Echoes WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/ServiceEcho/Echo] (0x01);
SELECT message_body FROM Answers WHERE service_contract_name = 'Echoes';
GO
--! rows
--! 0x01
--! spec SYSTEM-18
