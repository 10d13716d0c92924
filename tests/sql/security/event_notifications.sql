-- Event notifications of definitions: statements, rights, delivery, documents.
CREATE DATABASE Events;
GO
USE Events;
CREATE QUEUE N; CREATE SERVICE NS ON QUEUE N ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
CREATE USER Ann WITHOUT LOGIN; CREATE USER Ben WITHOUT LOGIN;
CREATE TABLE Got (n int IDENTITY, type sysname, name sysname NULL, doc xml);
GO
CREATE PROCEDURE Take AS
BEGIN
    DECLARE @x xml; DELETE Got;
    WHILE 1 = 1
    BEGIN
        SET @x = NULL; RECEIVE TOP (1) @x = message_body FROM N;
        IF @x IS NULL BREAK;
        INSERT Got (type, name, doc) VALUES (@x.value('(/EVENT_INSTANCE/EventType)[1]', 'sysname'), @x.value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname'), @x);
    END;
END;
GO
CREATE EVENT NOTIFICATION OnDb ON DATABASE FOR DDL_SSB_EVENTS, CREATE_TABLE TO SERVICE 'NS', 'current database';
SELECT name, parent_class, parent_class_desc, parent_id, service_name, USER_NAME(principal_id), creator_sid, IIF(modify_date = create_date, 1, 0),
    (SELECT COUNT(*) FROM sys.databases WHERE CAST(service_broker_guid AS nvarchar(128)) = n.broker_instance) FROM sys.event_notifications n;
SELECT type_desc, event_group_type, event_group_type_desc FROM sys.events WHERE type IN (21, 151, 157) ORDER BY type;
SELECT COUNT(*) FROM sys.events WHERE event_group_type_desc = 'DDL_SSB_EVENTS';
GO
--! rows
--! OnDb | 0 | DATABASE | 0 | NS | dbo | NULL | 1 | 1
--! rows
--! CREATE_TABLE | NULL | NULL
--! CREATE_MESSAGE_TYPE | 10041 | DDL_SSB_EVENTS
--! CREATE_QUEUE | 10041 | DDL_SSB_EVENTS
--! rows
--! 20
--! spec NOTIFY-1 NOTIFY-6 EVENTVIEW-1 EVENTVIEW-3 EVENTVIEW-4 DELIVER-13
-- The document, byte for byte but for what changes from run to run.
CREATE TABLE dbo.T1 (a int);
GO
--! settle
SELECT message_type_name, service_contract_name, CAST(LEFT(message_body, 2) AS binary(2)) FROM N;
EXEC Take;
SELECT REPLACE(REPLACE(CAST(doc AS nvarchar(max)), @@SERVERNAME, 'SERVER'), CONCAT('<SPID>', @@SPID, '<'), '<SPID>n<') FROM Got;
GO
--! rows
--! http://schemas.microsoft.com/SQL/Notifications/EventNotification | http://schemas.microsoft.com/SQL/Notifications/PostEventNotification | 0xFFFE
--! rows
--! <EVENT_INSTANCE><EventType>CREATE_TABLE</EventType><PostTime>2026-01-01T00:00:00.000</PostTime><SPID>n</SPID><ServerName>SERVER</ServerName><LoginName>sa</LoginName><UserName>dbo</UserName><DatabaseName>Events</DatabaseName><SchemaName>dbo</SchemaName><ObjectName>T1</ObjectName><ObjectType>TABLE</ObjectType><TSQLCommand><SetOptions ANSI_NULLS="ON" ANSI_NULL_DEFAULT="ON" ANSI_PADDING="ON" QUOTED_IDENTIFIER="ON" ENCRYPTED="FALSE"/><CommandText>CREATE TABLE dbo.T1 (a int)</CommandText></TSQLCommand></EVENT_INSTANCE>
--! spec DELIVER-1 DOCUMENT-3 DOCUMENT-4 DOCUMENT-5 DOCUMENT-8
-- One conversation of the internal service for all events of a notification.
CREATE MESSAGE TYPE M; CREATE CONTRACT C (M SENT BY ANY);
GO
--! settle
SELECT COUNT(DISTINCT conversation_handle), COUNT(*) FROM N;
SELECT s.name, e.state, e.is_system, e.is_initiator FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE e.is_initiator = 1;
EXEC Take;
GO
--! rows
--! 1 | 2
--! rows
--! http://schemas.microsoft.com/SQL/Notifications/EventNotificationService | CO | 1 | 1
--! spec DELIVER-2 DELIVER-3
-- What is rolled back sends nothing: by ROLLBACK, to a savepoint, by an error.
BEGIN TRANSACTION; CREATE QUEUE Gone1; ROLLBACK;
BEGIN TRANSACTION; CREATE QUEUE Kept; SAVE TRANSACTION S; CREATE QUEUE Gone2; ROLLBACK TRANSACTION S; COMMIT;
GO
CREATE QUEUE Kept;
GO
--! error 2714
--! settle
EXEC Take; SELECT type, name FROM Got ORDER BY n;
GO
--! rows
--! CREATE_QUEUE | Kept
--! spec DELIVER-14 TRIGGER-9
-- Each statement about a broker object.
ALTER MESSAGE TYPE M VALIDATION = EMPTY; ALTER QUEUE Kept WITH RETENTION = ON; CREATE SERVICE S ON QUEUE Kept; ALTER SERVICE S (ADD CONTRACT C); DROP SERVICE S; DROP QUEUE Kept;
CREATE ROUTE R WITH ADDRESS = 'LOCAL'; ALTER ROUTE R WITH LIFETIME = 60; DROP ROUTE R; DROP CONTRACT C; DROP MESSAGE TYPE M;
CREATE REMOTE SERVICE BINDING B TO SERVICE 'far' WITH USER = Ann; ALTER REMOTE SERVICE BINDING B WITH ANONYMOUS = ON; DROP REMOTE SERVICE BINDING B;
CREATE BROKER PRIORITY P FOR CONVERSATION; ALTER BROKER PRIORITY P FOR CONVERSATION SET (PRIORITY_LEVEL = 6); DROP BROKER PRIORITY P;
GO
--! settle
EXEC Take; SELECT type, name FROM Got ORDER BY n;
GO
--! rows
--! ALTER_MESSAGE_TYPE | M
--! ALTER_QUEUE | Kept
--! CREATE_SERVICE | S
--! ALTER_SERVICE | S
--! DROP_SERVICE | S
--! DROP_QUEUE | Kept
--! CREATE_ROUTE | R
--! ALTER_ROUTE | R
--! DROP_ROUTE | R
--! DROP_CONTRACT | C
--! DROP_MESSAGE_TYPE | M
--! CREATE_REMOTE_SERVICE_BINDING | B
--! ALTER_REMOTE_SERVICE_BINDING | B
--! DROP_REMOTE_SERVICE_BINDING | B
--! CREATE_BROKER_PRIORITY | P
--! ALTER_BROKER_PRIORITY | P
--! DROP_BROKER_PRIORITY | P
--! spec TRIGGER-9
-- DROP ends the conversation.
DROP EVENT NOTIFICATION OnDb ON DATABASE;
CREATE TABLE T2 (a int);
GO
--! settle
SELECT message_type_name FROM N; SELECT state, far_service FROM sys.conversation_endpoints WHERE is_initiator = 0;
DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM N; END CONVERSATION @h;
DROP EVENT NOTIFICATION OnDb ON DATABASE;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog
--! rows
--! DI | http://schemas.microsoft.com/SQL/Notifications/EventNotificationService
--! error 15151
--! spec DELIVER-4 NOTIFY-7
-- Several notifications, FAN_IN, and the documents of other events.
CREATE EVENT NOTIFICATION A1 ON DATABASE FOR CREATE_INDEX, GRANT_DATABASE, CREATE_USER TO SERVICE 'NS', 'current database';
CREATE EVENT NOTIFICATION A2 ON DATABASE FOR DDL_INDEX_EVENTS TO SERVICE 'NS', 'current database';
CREATE EVENT NOTIFICATION F1 ON DATABASE WITH FAN_IN FOR CREATE_SYNONYM TO SERVICE 'NS', 'current database';
CREATE EVENT NOTIFICATION F2 ON DATABASE WITH FAN_IN FOR CREATE_SYNONYM TO SERVICE 'NS', 'current database';
SELECT name, IIF(creator_sid IS NULL, 'no', 'fan in') FROM sys.event_notifications ORDER BY name;
CREATE INDEX I ON T1 (a); CREATE SYNONYM Y FOR T1; GRANT SELECT, INSERT ON T1 TO Ann WITH GRANT OPTION; CREATE USER Eve WITHOUT LOGIN;
GO
--! rows
--! A1 | no
--! A2 | no
--! F1 | fan in
--! F2 | fan in
--! settle
EXEC Take;
SELECT type, name, COUNT(*) FROM Got GROUP BY type, name ORDER BY MIN(n);
SELECT TOP (1) doc.value('(//ObjectType)[1]', 'sysname'), doc.value('(//TargetObjectName)[1]', 'sysname'), doc.value('(//TargetObjectType)[1]', 'sysname') FROM Got WHERE type = 'CREATE_INDEX';
SELECT doc.query('(//Grantor, //Permissions, //Grantees, //GrantOption, //CascadeOption)') FROM Got WHERE type = 'GRANT_DATABASE';
GO
--! rows
--! CREATE_INDEX | I | 2
--! CREATE_SYNONYM | Y | 1
--! GRANT_DATABASE | T1 | 1
--! CREATE_USER | Eve | 1
--! rows
--! INDEX | T1 | TABLE
--! rows
--! <Grantor>dbo</Grantor><Permissions><Permission>select</Permission><Permission>insert</Permission></Permissions><Grantees><Grantee>Ann</Grantee></Grantees><GrantOption>1</GrantOption><CascadeOption>0</CascadeOption>
--! spec DELIVER-11 DELIVER-12 DELIVER-13 DOCUMENT-6 DOCUMENT-7
DROP EVENT NOTIFICATION A1, A2, F1, F2 ON DATABASE;
GO
-- Words that are no events here; rights.
CREATE EVENT NOTIFICATION X ON DATABASE FOR CREATE_SOMETHING TO SERVICE 'NS', 'current database';
GO
--! error 1084
--! spec NOTIFY-3
CREATE EVENT NOTIFICATION X ON DATABASE FOR CREATE_LOGIN TO SERVICE 'NS', 'current database';
GO
--! error 1084
--! spec NOTIFY-4
CREATE EVENT NOTIFICATION X ON SERVER FOR LOCK_ESCALATION TO SERVICE 'NS', 'current database';
GO
--! error 40517
--! spec NOTIFY-5
CREATE EVENT NOTIFICATION X ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'Current Database';
GO
--! error 2116
--! spec NOTIFY-6
EXECUTE AS USER = 'Ann';
CREATE EVENT NOTIFICATION X ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
GO
--! error 262
CREATE EVENT NOTIFICATION X ON SERVER FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
GO
--! error 300
CREATE EVENT NOTIFICATION X ON QUEUE N FOR QUEUE_ACTIVATION TO SERVICE 'NS', 'current database';
GO
--! error 15151
REVERT;
GRANT CREATE DATABASE DDL EVENT NOTIFICATION TO Ann; GRANT ALTER ON N TO Ann;
EXECUTE AS USER = 'Ann';
CREATE EVENT NOTIFICATION X ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
CREATE EVENT NOTIFICATION XQ ON QUEUE N FOR QUEUE_ACTIVATION TO SERVICE 'NS', 'current database';
REVERT;
EXECUTE AS USER = 'Ben';
DROP EVENT NOTIFICATION X ON DATABASE;
GO
--! error 15151
REVERT; GRANT ALTER ANY DATABASE EVENT NOTIFICATION TO Ben; EXECUTE AS USER = 'Ben';
DROP EVENT NOTIFICATION X ON DATABASE;
CREATE EVENT NOTIFICATION X ON DATABASE FOR CREATE_TABLE TO SERVICE 'NS', 'current database';
REVERT; EXECUTE AS USER = 'Ann';
DROP EVENT NOTIFICATION XQ ON QUEUE N;
DROP EVENT NOTIFICATION X ON DATABASE;
GO
--! error 15151
REVERT; DROP EVENT NOTIFICATION X ON DATABASE;
GO
--! spec NOTIFY-9 NOTIFY-11 NOTIFY-12
USE master; CREATE LOGIN Kim WITH PASSWORD = 'x'; GRANT CREATE DDL EVENT NOTIFICATION TO Kim; EXECUTE AS LOGIN = 'Kim';
CREATE EVENT NOTIFICATION X ON SERVER FOR CREATE_LOGIN TO SERVICE 'NS', '6B29FC40-CA47-1067-B31D-00DD010662DA';
DROP EVENT NOTIFICATION X ON SERVER;
REVERT; USE Events;
GO
--! spec NOTIFY-10
