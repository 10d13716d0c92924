-- A copy is whole: users and rights, code of every kind, typed messages, notifications, activation under its own name; sizes of keys go on.
CREATE DATABASE Whole;
CREATE LOGIN clerk WITH PASSWORD = 'Pa$$w0rd1';
GO
USE Whole;
CREATE USER clerk FOR LOGIN clerk;
CREATE ROLE readers;
ALTER ROLE readers ADD MEMBER clerk;
GO
CREATE XML SCHEMA COLLECTION Orders AS N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="order" type="xs:int"/></xs:schema>';
CREATE MESSAGE TYPE OrderType VALIDATION = VALID_XML WITH SCHEMA COLLECTION Orders;
CREATE CONTRACT OrderContract (OrderType SENT BY INITIATOR);
CREATE QUEUE Incoming; CREATE QUEUE Outgoing; CREATE QUEUE Events;
CREATE SERVICE Receiver ON QUEUE Incoming (OrderContract);
CREATE SERVICE Sender ON QUEUE Outgoing;
CREATE SERVICE Watcher ON QUEUE Events ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
CREATE ROUTE Home WITH SERVICE_NAME = 'Receiver', ADDRESS = 'LOCAL';
CREATE BROKER PRIORITY High FOR CONVERSATION SET (CONTRACT_NAME = OrderContract, PRIORITY_LEVEL = 9);
CREATE TABLE Done (id int IDENTITY (5, 5) PRIMARY KEY, body xml, twice AS id * 2, stamp rowversion);
CREATE TABLE Lines (id int PRIMARY KEY, done int CONSTRAINT FK_Done REFERENCES Done (id) ON DELETE CASCADE, n int CHECK (n > 0) DEFAULT 1);
CREATE UNIQUE INDEX U ON Lines (n) WHERE n > 10;
CREATE SYNONYM D FOR dbo.Done;
CREATE TYPE Name FROM nvarchar(20) NOT NULL;
CREATE TYPE Pairs AS TABLE (a int, b Name);
GO
CREATE VIEW Recent AS SELECT id, twice FROM Done;
GO
CREATE FUNCTION Half (@n int) RETURNS int AS BEGIN RETURN @n / 2; END;
GO
CREATE TRIGGER Cascade1 ON Done AFTER DELETE AS PRINT 'deleted';
GO
CREATE PROCEDURE Handle_order AS
BEGIN
    DECLARE @h uniqueidentifier, @body varbinary(max);
    WHILE 1 = 1
    BEGIN
        RECEIVE TOP (1) @h = conversation_handle, @body = message_body FROM Incoming;
        IF @@ROWCOUNT = 0 RETURN;
        IF @body IS NOT NULL INSERT INTO Done (body) VALUES (CAST(@body AS xml));
    END;
END;
GO
ALTER QUEUE Incoming WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Handle_order, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GRANT EXECUTE ON Handle_order TO readers;
GRANT RECEIVE ON Incoming TO readers;
GRANT SEND ON SERVICE::Receiver TO public;
INSERT INTO Done (body) VALUES (N'<order>0</order>');
INSERT INTO Lines (id, done) VALUES (1, 5);
GO
CREATE EVENT NOTIFICATION Disabled ON QUEUE Incoming FOR BROKER_QUEUE_DISABLED TO SERVICE 'Watcher', 'current database';
BACKUP DATABASE Whole TO DISK = 'whole.bak' WITH FORMAT;
USE master;
RESTORE DATABASE Copied FROM DISK = 'whole.bak' WITH MOVE 'Whole' TO 'copied.mdf', NEW_BROKER;
GO
-- The same objects, rights and settings under the same ids within their database.
USE Copied;
SELECT name, type FROM sys.objects WHERE is_ms_shipped = 0 AND type NOT IN ('PK', 'D', 'C', 'F', 'IT', 'TT') EXCEPT
SELECT name, type FROM Whole.sys.objects WHERE is_ms_shipped = 0 AND type NOT IN ('PK', 'D', 'C', 'F', 'IT', 'TT');
SELECT COUNT(*) - (SELECT COUNT(*) FROM Whole.sys.objects) FROM sys.objects;
SELECT USER_NAME(p.grantee_principal_id), p.permission_name, OBJECT_NAME(p.major_id) FROM sys.database_permissions p WHERE p.class = 1 ORDER BY 2;
SELECT q.name, q.activation_procedure, q.is_activation_enabled FROM sys.service_queues q WHERE q.name = 'Incoming';
SELECT s.name, q.name FROM sys.services s JOIN sys.service_queues q ON q.object_id = s.service_queue_id WHERE s.name IN ('Receiver', 'Watcher') ORDER BY s.name;
SELECT n.name, q.name FROM sys.event_notifications n JOIN sys.service_queues q ON q.object_id = n.parent_id;
SELECT r.address, p.priority FROM sys.routes r CROSS JOIN sys.conversation_priorities p WHERE r.name = 'Home';
SELECT OBJECT_NAME(f.parent_object_id), OBJECT_NAME(f.referenced_object_id) FROM sys.foreign_keys f WHERE f.name = 'FK_Done';
GO
--! rows
--! rows
--! 0
--! rows
--! readers | EXECUTE | Handle_order
--! readers | RECEIVE | Incoming
--! rows
--! Incoming | [Copied].[dbo].[Handle_order] | 1
--! rows
--! Receiver | Incoming
--! Watcher | Events
--! rows
--! Disabled | Incoming
--! rows
--! LOCAL | 9
--! rows
--! Lines | Done
--! spec BACKUP-1
-- It works: validation by its own schema collection, activation of its own procedure, priorities, keys.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Sender TO SERVICE 'Receiver' ON CONTRACT OrderContract WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE OrderType (N'<order>7</order>');
SELECT priority FROM sys.conversation_endpoints WHERE is_initiator = 1;
GO
--! rows
--! 9
--! settle
SELECT id, CAST(body AS nvarchar(40)), twice, dbo.Half(id) FROM D ORDER BY id;
SELECT id FROM Recent ORDER BY id;
SELECT COUNT(*) FROM Whole.dbo.Done;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Sender TO SERVICE 'Receiver' ON CONTRACT OrderContract WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE OrderType (N'<order>seven</order>');
SELECT message_type_name FROM Outgoing;
GO
--! rows
--! 5 | <order>0</order> | 10 | 2
--! 10 | <order>7</order> | 20 | 5
--! rows
--! 5
--! 10
--! rows
--! 1
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error
INSERT INTO Lines (id, done, n) VALUES (2, 10, 0);
GO
--! error 547
DELETE FROM Done WHERE id = 5;
GO
--! print deleted
SELECT COUNT(*) FROM Lines;
SELECT COUNT(*) FROM Whole.dbo.Lines;
DECLARE @p Pairs;
INSERT INTO @p VALUES (1, N'x');
SELECT b FROM @p;
EXECUTE AS USER = 'clerk';
EXEC Handle_order;
SELECT USER_NAME();
GO
--! rows
--! 0
--! rows
--! 1
--! rows
--! x
--! rows
--! clerk
INSERT INTO Done (body) VALUES (N'<order>1</order>');
GO
--! error 229
REVERT;
-- An event notification keeps the broker id that it was made with: after NEW_BROKER that is the original's.
ALTER QUEUE Incoming WITH ACTIVATION (STATUS = OFF);
DECLARE @h uniqueidentifier, @i int = 0;
BEGIN DIALOG @h FROM SERVICE Sender TO SERVICE 'Receiver' ON CONTRACT OrderContract WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE OrderType (N'<order>8</order>');
WHILE @i < 5
BEGIN
    BEGIN TRANSACTION;
    RECEIVE TOP (1) @h = conversation_handle FROM Incoming;
    ROLLBACK;
    SET @i += 1;
END;
GO
--! settle
SELECT COUNT(*) FROM Events;
SELECT CAST(message_body AS xml).value('(/EVENT_INSTANCE/DatabaseName)[1]', 'sysname') FROM Whole.dbo.Events;
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'Incoming';
SELECT is_receive_enabled FROM Whole.sys.service_queues WHERE name = 'Incoming';
GO
--! rows
--! 0
--! rows
--! Copied
--! rows
--! 0
--! rows
--! 1
