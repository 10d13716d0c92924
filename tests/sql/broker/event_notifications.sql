-- QUEUE_ACTIVATION and BROKER_QUEUE_DISABLED event notifications.
CREATE DATABASE Events;
GO
USE Events;
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Note;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE NoteService ON QUEUE Note ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
GO
CREATE PROCEDURE Talk AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'hello');
END;
GO
CREATE EVENT NOTIFICATION Woken ON QUEUE Q2 FOR QUEUE_ACTIVATION TO SERVICE 'NoteService', 'current database';
CREATE EVENT NOTIFICATION [Off] ON QUEUE dbo.Q2 WITH FAN_IN FOR BROKER_QUEUE_DISABLED TO SERVICE 'NoteService', 'current database';
GO
SELECT n.name, n.parent_class, n.parent_class_desc, OBJECT_NAME(n.parent_id), n.service_name, CASE WHEN d.service_broker_guid = n.broker_instance THEN 'ours' END,
    CASE WHEN n.creator_sid IS NULL THEN 'no' ELSE 'fan in' END
FROM sys.event_notifications n JOIN sys.databases d ON d.name = 'Events' ORDER BY n.name;
SELECT n.name, e.type_desc FROM sys.events e JOIN sys.event_notifications n ON n.object_id = e.object_id ORDER BY n.name;
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! Off | 1 | OBJECT_OR_COLUMN | Q2 | NoteService | ours | fan in
--! Woken | 1 | OBJECT_OR_COLUMN | Q2 | NoteService | ours | no
--! rows
--! Off | BROKER_QUEUE_DISABLED
--! Woken | QUEUE_ACTIVATION
--! rows
--! INACTIVE
-- A message arrives: one notification; none while nobody has received from the queue.
EXEC Talk;
GO
--! settle
EXEC Talk;
GO
--! settle
SELECT message_type_name, service_contract_name FROM Note;
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
DECLARE @x xml;
RECEIVE @x = message_body FROM Note;
SELECT @x.value('(/EVENT_INSTANCE/EventType)[1]', 'sysname'), @x.value('(/EVENT_INSTANCE/DatabaseName)[1]', 'sysname'),
    @x.value('(/EVENT_INSTANCE/SchemaName)[1]', 'sysname'), @x.value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname'),
    @x.value('(/EVENT_INSTANCE/ObjectType)[1]', 'sysname'), @x.value('(/EVENT_INSTANCE/PostTime)[1]', 'datetime'),
    @x.value('(/EVENT_INSTANCE/LoginName)[1]', 'sysname');
SELECT @x.query('for $e in /EVENT_INSTANCE/* return local-name($e)');
GO
--! rows
--! http://schemas.microsoft.com/SQL/Notifications/EventNotification | http://schemas.microsoft.com/SQL/Notifications/PostEventNotification
--! rows
--! NOTIFIED
--! rows
--! QUEUE_ACTIVATION | Events | dbo | Q2 | QUEUE | 2026-01-01 00:00:00.000 | sa
--! rows
--! EventType PostTime SPID ServerName LoginName UserName DatabaseName SchemaName ObjectName ObjectType
--! spec DOCUMENT-1 EXTERNAL-1 EXTERNAL-2
-- After a RECEIVE that leaves messages, the 5-second rule sends another one (5.6, 5.9).
RECEIVE TOP (1) status FROM Q2;
GO
--! rows
--! 0
--! advance 6s
SELECT COUNT(*) FROM Note;
RECEIVE status FROM Q2;
RECEIVE status FROM Q2;
RECEIVE status FROM Note;
SELECT state FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
EXEC Talk;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! rows
--! 0
--! rows
--! INACTIVE
--! spec EXTERNAL-3
--! settle
-- All messages of one notification are on one conversation, which belongs to the internal service.
SELECT COUNT(*) FROM Note;
SELECT COUNT(*), MIN(far_service) FROM sys.conversation_endpoints WHERE is_system = 1 AND is_initiator = 0;
SELECT s.name, e.state FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE e.is_system = 1 AND e.is_initiator = 1;
GO
--! rows
--! 1
--! rows
--! 1 | http://schemas.microsoft.com/SQL/Notifications/EventNotificationService
--! rows
--! http://schemas.microsoft.com/SQL/Notifications/EventNotificationService | CO
-- Poison: the queue goes off, BROKER_QUEUE_DISABLED comes (5.8). Each rollback but the last, which switches the queue off, gives the
-- message back to an empty queue, and that is another activation (5.5).
RECEIVE status FROM Note;
DECLARE @i int = 0;
WHILE @i < 5
BEGIN
    BEGIN TRANSACTION;
    RECEIVE TOP (1) status FROM Q2;
    ROLLBACK;
    SET @i += 1;
END;
GO
--! settle
DECLARE @x xml = (SELECT TOP (1) CAST(message_body AS xml) FROM Note ORDER BY queuing_order DESC);
SELECT @x.value('(/EVENT_INSTANCE/EventType)[1]', 'sysname'), @x.value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname');
SELECT COUNT(*) FROM Note;
WHILE EXISTS (SELECT * FROM Note) RECEIVE @x = message_body FROM Note;
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! BROKER_QUEUE_DISABLED | Q2
--! spec EXTERNAL-6
--! rows
--! 5
--! rows
--! 0
--! spec POISON-16 MONITOR-2
--! settle
-- Enabled again with a message waiting: notified at once, also after a restart.
SELECT COUNT(*) FROM Note;
GO
--! rows
--! 1
--! restart
USE Events;
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Note;
RECEIVE status FROM Q2;
EXEC Talk;
GO
--! settle
-- The target ends the conversation: the notification no longer works (17004).
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Note;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_system = 1 AND is_initiator = 0 AND far_service LIKE '%EventNotificationService';
END CONVERSATION @t;
RECEIVE status FROM Q2; RECEIVE status FROM Q2;
EXEC Talk;
GO
--! settle
--! log 17004
-- Activation and QUEUE_ACTIVATION exclude each other; a queue knows these two events only; DROP.
CREATE PROCEDURE Reader AS RETURN 0;
GO
ALTER QUEUE Q2 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
--! error 9717
--! spec NOTIFY-13
ALTER QUEUE Q1 WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
CREATE EVENT NOTIFICATION Twice ON QUEUE Q1 FOR QUEUE_ACTIVATION TO SERVICE 'NoteService', 'current database';
GO
--! error 9718
--! spec NOTIFY-13
CREATE EVENT NOTIFICATION Odd ON QUEUE Q1 FOR CREATE_TABLE TO SERVICE 'NoteService', 'current database';
GO
--! error 1084
--! spec NOTIFY-2
CREATE EVENT NOTIFICATION Odd ON QUEUE Q1 FOR BROKER_QUEUE_DISABLED TO SERVICE 'NoteService', 'Current Database';
GO
--! error 2116
DROP EVENT NOTIFICATION NoSuch ON QUEUE Q2;
GO
--! error 15151
DROP EVENT NOTIFICATION Woken, [Off] ON QUEUE Q2;
SELECT COUNT(*) FROM sys.event_notifications;
GO
--! rows
--! 0
--! settle
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors m JOIN sys.service_queues q ON q.object_id = m.queue_id WHERE q.name = 'Q2';
GO
--! rows
--! 0
-- The documents of both events have one shape; any number of notifications on a queue fire; posting that fails; DROP QUEUE.
CREATE QUEUE Q3; CREATE SERVICE S3 ON QUEUE Q3 ([DEFAULT]);
CREATE EVENT NOTIFICATION One ON QUEUE Q3 FOR QUEUE_ACTIVATION, BROKER_QUEUE_DISABLED TO SERVICE 'NoteService', 'current database';
CREATE EVENT NOTIFICATION Two ON QUEUE Q3 FOR QUEUE_ACTIVATION TO SERVICE 'NoteService', 'current database';
DECLARE @t TABLE (s tinyint); WHILE (SELECT COUNT(*) FROM Note) > 0 RECEIVE status FROM Note INTO @t;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S3' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x');
GO
--! settle
SELECT COUNT(*), COUNT(DISTINCT conversation_handle) FROM Note WHERE message_type_name LIKE '%/EventNotification';
GO
--! rows
--! 2 | 2
--! spec EXTERNAL-4
DECLARE @i int = 0;
WHILE @i < 5 BEGIN BEGIN TRANSACTION; RECEIVE TOP (1) status FROM Q3; ROLLBACK; SET @i += 1; END;
GO
--! settle
SELECT CAST(message_body AS xml).query('for $e in /EVENT_INSTANCE/* return local-name($e)') FROM Note
WHERE CAST(message_body AS xml).value('(//EventType)[1]', 'sysname') = 'BROKER_QUEUE_DISABLED';
GO
--! rows
--! EventType PostTime SPID ServerName LoginName UserName DatabaseName SchemaName ObjectName ObjectType
--! spec DOCUMENT-2
DROP SERVICE S3; DROP QUEUE Q3;
SELECT COUNT(*) FROM sys.event_notifications;
GO
--! rows
--! 0
--! spec NOTIFY-14
-- master and model have no broker: nothing could be sent from there, nor to it.
USE master;
CREATE EVENT NOTIFICATION M ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
GO
--! error 2116
CREATE EVENT NOTIFICATION M ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', '12345678-1234-1234-1234-123456789012';
GO
--! error 2116
CREATE EVENT NOTIFICATION M ON SERVER FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
GO
--! error 2116
CREATE EVENT NOTIFICATION M ON SERVER FOR CREATE_TABLE TO SERVICE 'NS', '00000000-0000-0000-0000-000000000000';
GO
--! error 2116
CREATE QUEUE MasterQueue;
CREATE EVENT NOTIFICATION M ON QUEUE MasterQueue FOR QUEUE_ACTIVATION TO SERVICE 'NS', '12345678-1234-1234-1234-123456789012';
GO
--! error 2116
USE model;
CREATE EVENT NOTIFICATION M ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
GO
--! error 2116
USE msdb;
CREATE EVENT NOTIFICATION M ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
USE tempdb;
CREATE EVENT NOTIFICATION M ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
SELECT COUNT(*) FROM msdb.sys.event_notifications;
SELECT COUNT(*) FROM master.sys.event_notifications;
SELECT COUNT(*) FROM sys.server_event_notifications;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0
--! spec NOTIFY-6
