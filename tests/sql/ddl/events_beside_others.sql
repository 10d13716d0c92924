-- A definition that has waited for another session's tells of what it has done itself, and not of what was committed
-- while it waited: to DDL triggers and to event notifications.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Told; CREATE SERVICE Told ON QUEUE Told ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
CREATE TABLE One (a int); CREATE TABLE Two (a int);
CREATE USER Ann WITHOUT LOGIN; CREATE USER Bob WITHOUT LOGIN;
CREATE EVENT NOTIFICATION Hears ON DATABASE FOR DDL_DATABASE_LEVEL_EVENTS TO SERVICE 'Told', 'current database';
GO
CREATE VIEW Said AS SELECT queuing_order AS place, CAST(message_body AS xml).value('(//EventType)[1]', 'sysname') AS event,
    CAST(message_body AS xml).value('(//ObjectName)[1]', 'sysname') AS name, CAST(message_body AS xml).value('(//CommandText)[1]', 'nvarchar(200)') AS command FROM Told;
GO
CREATE TRIGGER Speaks ON DATABASE FOR DDL_DATABASE_LEVEL_EVENTS AS DECLARE @said sysname = EVENTDATA().value('(//ObjectName)[1]', 'sysname'); PRINT @said;
GO
--! settle
--! spec DELIVER-21
DECLARE @t TABLE (place bigint); RECEIVE queuing_order FROM Told INTO @t;
GO
-- Committed meanwhile.
--! session other IN Shop
BEGIN TRANSACTION; CREATE TABLE First (a int);
GO
--! print First
--! session main
CREATE TABLE Second (a int);
GO
--! blocked
--! session other
COMMIT;
GO
--! session main
--! finishes
--! print Second
SELECT event, name, command FROM Said ORDER BY place; DECLARE @t TABLE (place bigint); RECEIVE queuing_order FROM Told INTO @t;
GO
--! rows
--! CREATE_TABLE | First | CREATE TABLE First (a int)
--! CREATE_TABLE | Second | CREATE TABLE Second (a int)
-- Rolled back meanwhile.
--! session other
BEGIN TRANSACTION; CREATE TABLE Third (a int);
GO
--! print Third
--! session main
CREATE TABLE Fourth (a int);
GO
--! blocked
--! session other
ROLLBACK;
GO
--! session main
--! finishes
--! print Fourth
SELECT event, name, command FROM Said ORDER BY place; DECLARE @t TABLE (place bigint); RECEIVE queuing_order FROM Told INTO @t;
GO
--! rows
--! CREATE_TABLE | Fourth | CREATE TABLE Fourth (a int)
-- Several of one transaction, and rights.
--! session other
BEGIN TRANSACTION; GRANT SELECT ON One TO Ann; CREATE INDEX I ON One (a); DROP TABLE First;
GO
--! print One
--! print I
--! print First
--! session main
GRANT INSERT ON Two TO Bob;
GO
--! blocked
--! session other
COMMIT;
GO
--! session main
--! finishes
--! print Two
BEGIN TRANSACTION; CREATE ROLE Staff; ALTER ROLE Staff ADD MEMBER Bob;
SELECT event, name, command FROM Said ORDER BY place; DECLARE @t TABLE (place bigint); RECEIVE queuing_order FROM Told INTO @t;
GO
--! print Staff
--! print Bob
--! rows
--! GRANT_DATABASE | One | GRANT SELECT ON One TO Ann
--! CREATE_INDEX | I | CREATE INDEX I ON One (a)
--! DROP_TABLE | First | DROP TABLE First
--! GRANT_DATABASE | Two | GRANT INSERT ON Two TO Bob
COMMIT;
SELECT event, name FROM Said ORDER BY place;
GO
--! rows
--! CREATE_ROLE | Staff
--! ADD_ROLE_MEMBER | Bob
