-- BACKUP and RESTORE: a copy of a database with its conversations, broker ids, what replaces what.
CREATE DATABASE Shop;
CREATE DATABASE Depot;
ALTER DATABASE Shop SET TRUSTWORTHY ON;
ALTER DATABASE Depot SET TRUSTWORTHY ON;
GO
USE Depot;
CREATE QUEUE DepotQueue;
CREATE SERVICE Depot ON QUEUE DepotQueue ([DEFAULT]);
USE Shop;
GO
CREATE SCHEMA sales;
GO
CREATE TABLE dbo.Parent (id int IDENTITY (10, 1) PRIMARY KEY, name nvarchar(20) NOT NULL);
CREATE TABLE sales.Child (id int PRIMARY KEY, parent int REFERENCES dbo.Parent (id));
CREATE SEQUENCE sales.Numbers AS int START WITH 7;
CREATE TYPE dbo.Ids AS TABLE (id int);
CREATE QUEUE ShopQueue;
CREATE SERVICE Shop ON QUEUE ShopQueue ([DEFAULT]);
CREATE TABLE Handles (name nvarchar(20), h uniqueidentifier);
GO
CREATE PROCEDURE Count_parents AS SELECT COUNT(*) FROM dbo.Parent;
GO
CREATE TRIGGER Loud ON sales.Child AFTER INSERT AS PRINT 'child';
GO
INSERT INTO Parent VALUES (N'one'), (N'two');
INSERT INTO sales.Child VALUES (1, 10);
SELECT NEXT VALUE FOR sales.Numbers;
DECLARE @out uniqueidentifier, @own uniqueidentifier;
BEGIN DIALOG @out FROM SERVICE Shop TO SERVICE 'Depot' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @out (N'order');
BEGIN DIALOG @own FROM SERVICE Shop TO SERVICE 'Shop' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @own (N'to myself');
INSERT INTO Handles VALUES (N'out', @out), (N'own', @own);
GO
-- The usual messages; each set gets its number.
BACKUP DATABASE Shop TO DISK = N'shop.bak' WITH INIT, STATS = 100, NAME = N'first';
GO
--! print 100 percent
--! print Processed
--! print BACKUP DATABASE
INSERT INTO Parent VALUES (N'three');
DECLARE @file nvarchar(100) = N'shop.bak', @database sysname = N'Shop';
BACKUP DATABASE @database TO DISK = @file WITH COPY_ONLY, NAME = 'second', DESCRIPTION = 'with three';
GO
-- What the file holds.
CREATE TABLE #files (LogicalName nvarchar(128), PhysicalName nvarchar(260), Type char(1), FileGroupName nvarchar(128), Size numeric(20), MaxSize numeric(20), FileID bigint,
    CreateLSN numeric(25), DropLSN numeric(25), UniqueID uniqueidentifier, ReadOnlyLSN numeric(25), ReadWriteLSN numeric(25), BackupSizeInBytes bigint, SourceBlockSize int,
    FileGroupID int, LogGroupGUID uniqueidentifier, DifferentialBaseLSN numeric(25), DifferentialBaseGUID uniqueidentifier, IsReadOnly bit, IsPresent bit,
    TDEThumbprint varbinary(32), SnapshotURL nvarchar(360));
INSERT INTO #files EXEC ('RESTORE FILELISTONLY FROM DISK = ''shop.bak''');
SELECT LogicalName, PhysicalName, Type, FileID FROM #files ORDER BY FileID;
GO
--! rows
--! Shop | Shop.mdf | D | 1
--! Shop_log | Shop_log.ldf | L | 2
RESTORE VERIFYONLY FROM DISK = 'shop.bak' WITH FILE = 2;
GO
--! print file 2 is valid
RESTORE HEADERONLY FROM DISK = 'shop.bak' WITH FILE = 3;
GO
--! error 4038
RESTORE HEADERONLY FROM DISK = 'nothing.bak';
RESTORE HEADERONLY FROM DISK = 'nowhere/nothing.bak';
BACKUP DATABASE Shop TO DISK = 'nowhere/nothing.bak';
BACKUP DATABASE Shop TO DISK = '.';
RESTORE HEADERONLY FROM DISK = '.';
GO
--! error 3201 text error 2(
--! error 3201 text error 3(
--! error 3201 text error 3(
--! error 3201 text error 5(
--! error 3201 text error 5(
-- A copy under another name: everything is there, the broker id too, and the broker is off.
USE master;
RESTORE DATABASE ShopCopy FROM DISK = 'shop.bak' WITH MOVE 'Shop' TO 'copy.mdf', MOVE 'Shop_log' TO 'copy.ldf';
SELECT name, is_broker_enabled, is_trustworthy_on, state_desc FROM sys.databases WHERE name LIKE 'Shop%' ORDER BY name;
SELECT COUNT(DISTINCT service_broker_guid) FROM sys.databases WHERE name LIKE 'Shop%';
GO
--! rows
--! Shop | 1 | 1 | ONLINE
--! ShopCopy | 0 | 0 | ONLINE
--! rows
--! 1
--! spec IDENTITY-2 IDENTITY-8 IDENTITY-9 BACKUP-1 BACKUP-2 BACKUP-3
USE ShopCopy;
EXEC Count_parents;
INSERT INTO Parent VALUES (N'in the copy');
SELECT id, name FROM Parent ORDER BY id;
SELECT NEXT VALUE FOR sales.Numbers;
SELECT name FROM sys.objects WHERE type IN ('U', 'P', 'TR', 'SQ', 'SO') AND is_ms_shipped = 0 ORDER BY name;
GO
--! rows
--! 2
--! rows
--! 10 | one
--! 11 | two
--! 12 | in the copy
--! rows
--! *
--! rows
--! Child
--! Count_parents
--! Handles
--! Loud
--! Numbers
--! Parent
--! ShopQueue
INSERT INTO sales.Child VALUES (2, 12);
GO
--! print child
INSERT INTO sales.Child VALUES (3, 99);
GO
--! error 547
SELECT COUNT(*) FROM Shop.dbo.Parent;
SELECT COUNT(*) FROM Shop.sales.Child;
GO
--! rows
--! 3
--! rows
--! 1
-- The conversations are there with their handles, groups, states and messages.
SELECT h.name, e.state, e.is_initiator FROM sys.conversation_endpoints e JOIN Handles h ON h.h = e.conversation_handle ORDER BY h.name;
SELECT COUNT(*) FROM sys.conversation_endpoints c JOIN Shop.sys.conversation_endpoints o ON o.conversation_handle = c.conversation_handle
    AND o.conversation_group_id = c.conversation_group_id AND o.conversation_id = c.conversation_id AND o.state = c.state;
SELECT CAST(message_body AS nvarchar(20)) FROM ShopQueue;
GO
--! rows
--! out | CO | 1
--! own | CO | 1
--! rows
--! 3
--! rows
--! to myself
--! spec IDENTITY-10 RESTORED-1
-- Sent in the copy: it stays there, for both targets, the own one too. The original hears nothing.
DECLARE @out uniqueidentifier = (SELECT h FROM Handles WHERE name = 'out'), @own uniqueidentifier = (SELECT h FROM Handles WHERE name = 'own');
SEND ON CONVERSATION @out (N'misdirected');
SEND ON CONVERSATION @own (N'misdirected');
SELECT to_service_name, CASE WHEN transmission_status LIKE '%broker%disabled%' THEN 9791 END FROM sys.transmission_queue ORDER BY 1;
SELECT (SELECT COUNT(*) FROM Depot.dbo.DepotQueue), (SELECT COUNT(*) FROM Shop.dbo.ShopQueue), (SELECT COUNT(*) FROM ShopQueue);
END CONVERSATION @out WITH CLEANUP;
SELECT COUNT(*) FROM Shop.sys.conversation_endpoints;
GO
--! rows
--! Depot | 9791
--! Shop | 9791
--! rows
--! 1 | 1 | 1
--! rows
--! 3
--! spec IDENTITY-11 IDENTITY-17 ALTERDB-8
-- Two databases with one id: only one may have its broker enabled.
ALTER DATABASE ShopCopy SET ENABLE_BROKER;
GO
--! error 9772
ALTER DATABASE ShopCopy SET ERROR_BROKER_CONVERSATIONS;
GO
--! error 9772
--! spec IDENTITY-5 ALTERDB-6
-- Services of the copy are not considered when a target is looked for.
USE Depot;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Depot TO SERVICE 'Shop' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'which one?');
SELECT (SELECT COUNT(*) FROM Shop.dbo.ShopQueue), (SELECT COUNT(*) FROM ShopCopy.dbo.ShopQueue);
GO
--! rows
--! 2 | 1
--! spec IDENTITY-12
-- NEW_BROKER is the way out: a new id, no conversations.
ALTER DATABASE ShopCopy SET NEW_BROKER;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'ShopCopy';
SELECT COUNT(DISTINCT service_broker_guid) FROM sys.databases WHERE name LIKE 'Shop%';
SELECT COUNT(*) FROM ShopCopy.sys.conversation_endpoints;
GO
--! rows
--! 1
--! rows
--! 2
--! rows
--! 0
--! spec IDENTITY-6
-- RESTORE … WITH ENABLE_BROKER beside the original: the copy comes back, its broker stays off, and the log says why.
USE master;
GO
RESTORE DATABASE Third FROM DISK = 'shop.bak' WITH MOVE 'Shop' TO 'third.mdf', ENABLE_BROKER;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Third';
GO
--! print Broker of the database "Third"
--! print Processed
--! print RESTORE DATABASE
--! rows
--! 0
--! log 9773 Third
--! spec IDENTITY-7
RESTORE DATABASE Fourth FROM DISK = 'shop.bak' WITH MOVE 'Shop' TO 'fourth.mdf', NEW_BROKER;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Fourth';
SELECT COUNT(*) FROM Fourth.sys.conversation_endpoints;
GO
--! rows
--! 1
--! rows
--! 0
--! spec ALTERDB-21
DROP DATABASE ShopCopy; DROP DATABASE Third; DROP DATABASE Fourth;
GO
-- Over the original: only if asked, and with nobody in it.
RESTORE DATABASE Shop FROM DISK = 'shop.bak';
GO
--! error 3159
USE Shop;
RESTORE DATABASE Shop FROM DISK = 'shop.bak' WITH REPLACE;
GO
--! error 3102
USE master;
GO
--! session other IN Shop
SELECT COUNT(*) FROM Parent;
GO
--! session main
RESTORE DATABASE Shop FROM DISK = 'shop.bak' WITH REPLACE;
GO
--! error 3101
--! session other
USE master;
GO
--! session main
RESTORE DATABASE Shop FROM DISK = 'shop.bak' WITH REPLACE, FILE = 2, ENABLE_BROKER;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Shop';
SELECT name FROM Shop.dbo.Parent ORDER BY id;
GO
--! rows
--! 1
--! rows
--! one
--! two
--! three
--! spec ALTERDB-20 BACKUP-4 BACKUP-5
-- It goes on where the backup was: the peer in the other database still knows the conversation.
USE Shop;
DECLARE @out uniqueidentifier = (SELECT h FROM Handles WHERE name = 'out');
SEND ON CONVERSATION @out (N'after the restore');
SELECT CAST(message_body AS nvarchar(20)) FROM Depot.dbo.DepotQueue ORDER BY queuing_order;
INSERT INTO Parent VALUES (N'four');
SELECT MAX(id) FROM Parent;
GO
--! rows
--! order
--! after the restore
--! rows
--! 13
--! spec IDENTITY-3 RESTORED-2
-- Restored to another point in time: all its conversations are out of step. Both sides get an error.
USE master;
RESTORE DATABASE Shop FROM DISK = 'shop.bak' WITH REPLACE, ERROR_BROKER_CONVERSATIONS;
GO
USE Shop;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Shop';
SELECT DISTINCT state FROM sys.conversation_endpoints;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM ShopQueue WHERE message_type_id = 1;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Depot.dbo.DepotQueue WHERE message_type_id = 1;
GO
--! rows
--! 1
--! rows
--! ER
--! rows
--! -9719
--! -9719
--! -9719
--! rows
--! -9720
--! spec ALTERDB-22 RESTORED-3
-- A database in use by a backup of another family needs REPLACE.
USE master;
RESTORE DATABASE Depot FROM DISK = 'shop.bak';
GO
--! error 3154
RESTORE DATABASE Fifth FROM DISK = 'shop.bak';
GO
--! error 1834
RESTORE DATABASE Fifth FROM DISK = 'shop.bak' WITH MOVE 'Nobody' TO 'fifth.mdf';
GO
--! error 3234
RESTORE DATABASE master FROM DISK = 'shop.bak';
GO
--! error 3108
RESTORE DATABASE Fifth FROM DISK = 'shop.bak' WITH MOVE 'Shop' TO 'fifth.mdf', ENABLE_BROKER, NEW_BROKER;
GO
--! error 3031
RESTORE DATABASE Fifth FROM DISK = 'shop.bak' WITH STOPAT = '2026-01-01';
GO
--! error 155
BACKUP DATABASE tempdb TO DISK = 'x.bak';
GO
--! error 3147
BACKUP DATABASE Nowhere TO DISK = 'x.bak';
GO
--! error 911
BACKUP DATABASE Shop TO somedevice;
GO
--! error 3206
BEGIN TRANSACTION;
BACKUP DATABASE Shop TO DISK = 'x.bak';
GO
--! error 3021
RESTORE DATABASE Shop FROM DISK = 'shop.bak' WITH REPLACE;
GO
--! error 3021
ROLLBACK;
GO
--! spec BACKUP-6 BACKUP-7
