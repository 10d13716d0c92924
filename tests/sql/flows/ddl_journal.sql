-- Changes of the schema are written down by an event notification: asynchronous, so a rollback of the change writes nothing.
CREATE DATABASE Journaled
GO
USE Journaled
GO
CREATE TABLE dbo.DdlJournal (Id INT IDENTITY(1,1), EventType NVARCHAR(100), ObjectName SYSNAME NULL, ObjectType NVARCHAR(50) NULL, LoginName SYSNAME, Command NVARCHAR(MAX), PostTime DATETIME)
CREATE QUEUE dbo.DdlQueue
CREATE SERVICE DdlService ON QUEUE dbo.DdlQueue ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])
CREATE ROUTE DdlRoute WITH SERVICE_NAME = N'DdlService', ADDRESS = N'LOCAL'
GO
CREATE PROCEDURE dbo.WriteJournal WITH EXECUTE AS OWNER AS
SET NOCOUNT ON;
DECLARE @messages TABLE (message_type_name SYSNAME, message_body XML);
WHILE 1 = 1
BEGIN
    DELETE FROM @messages;
    WAITFOR (RECEIVE TOP (50) message_type_name, message_body FROM dbo.DdlQueue INTO @messages), TIMEOUT 1000;
    IF @@ROWCOUNT = 0 BREAK;
    INSERT dbo.DdlJournal (EventType, ObjectName, ObjectType, LoginName, Command, PostTime)
    SELECT e.value('(EventType)[1]', 'NVARCHAR(100)'), e.value('(ObjectName)[1]', 'SYSNAME'), e.value('ObjectType[1]', 'NVARCHAR(50)'), e.value('LoginName[1]', 'SYSNAME'),
        e.value('(TSQLCommand/CommandText/text())[1]', 'NVARCHAR(MAX)'), e.value('PostTime[1]', 'DATETIME')
    FROM @messages CROSS APPLY message_body.nodes('/EVENT_INSTANCE') AS x(e) WHERE message_type_name = N'http://schemas.microsoft.com/SQL/Notifications/EventNotification';
END
GO
ALTER QUEUE dbo.DdlQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.WriteJournal, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
CREATE EVENT NOTIFICATION JournalOfTables ON DATABASE FOR DDL_TABLE_EVENTS, CREATE_PROCEDURE, DROP_QUEUE TO SERVICE 'DdlService', 'current database'
GO
SELECT n.name, t.type_desc FROM sys.event_notifications n JOIN sys.events t ON t.object_id = n.object_id WHERE t.type_desc NOT LIKE '%TABLE' ORDER BY 2
GO
--! rows
--! JournalOfTables | CREATE_PROCEDURE
--! JournalOfTables | DROP_QUEUE
CREATE TABLE dbo.One (a int)
GO
ALTER TABLE dbo.One ADD b int NULL
GO
CREATE PROCEDURE dbo.Two AS SELECT 2 AS two
GO
BEGIN TRAN
DROP TABLE dbo.One
ROLLBACK
GO
CREATE QUEUE Q; DROP QUEUE Q; CREATE VIEW_ x
GO
--! error 343
CREATE QUEUE Q; DROP QUEUE Q
DROP TABLE dbo.One
GO
--! settle
SELECT EventType, ObjectName, ObjectType, LoginName, Command FROM dbo.DdlJournal ORDER BY Id
GO
--! rows
--! CREATE_TABLE | One | TABLE | sa | CREATE TABLE dbo.One (a int)
--! ALTER_TABLE | One | TABLE | sa | ALTER TABLE dbo.One ADD b int NULL
--! CREATE_PROCEDURE | Two | PROCEDURE | sa | CREATE PROCEDURE dbo.Two AS SELECT 2 AS two
--! DROP_QUEUE | Q | QUEUE | sa | DROP QUEUE Q
--! DROP_TABLE | One | TABLE | sa | DROP TABLE dbo.One
DROP EVENT NOTIFICATION JournalOfTables ON DATABASE
CREATE TABLE dbo.Three (a int)
GO
--! settle
SELECT COUNT(*) FROM dbo.DdlJournal
GO
--! rows
--! 5
