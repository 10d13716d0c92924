-- SINGLE_USER, RESTRICTED_USER, OFFLINE, READ_ONLY, MODIFY NAME: who gets in, and what the broker does meanwhile.
CREATE DATABASE Stately;
CREATE DATABASE Peer;
ALTER DATABASE Stately SET TRUSTWORTHY ON;
ALTER DATABASE Peer SET TRUSTWORTHY ON;
CREATE LOGIN visitor WITH PASSWORD = 'Pa$$w0rd1';
GO
USE Peer;
CREATE QUEUE Q;
CREATE SERVICE Peer ON QUEUE Q ([DEFAULT]);
USE Stately;
CREATE USER visitor FOR LOGIN visitor;
CREATE QUEUE Q;
CREATE SERVICE Stately ON QUEUE Q ([DEFAULT]);
CREATE TABLE T (id int);
CREATE TABLE H (h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Stately TO SERVICE 'Peer' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'begun');
INSERT INTO H VALUES (@h);
USE Peer;
DECLARE @t uniqueidentifier;
RECEIVE @t = conversation_handle FROM Q;
USE master;
GO
-- SINGLE_USER: the second one is refused, wherever he comes from.
ALTER DATABASE Stately SET SINGLE_USER WITH ROLLBACK IMMEDIATE;
SELECT user_access, user_access_desc, state FROM sys.databases WHERE name = 'Stately';
SELECT user_access FROM sys.databases WHERE name = 'Peer';
USE Stately;
GO
--! rows
--! 1 | SINGLE_USER | 0
--! rows
--! 0
--! session other
USE Stately;
GO
--! error 924
SELECT * FROM Stately.dbo.T;
GO
--! error 924
ALTER DATABASE Stately SET MULTI_USER;
GO
--! error 5064
-- Its broker delivers nothing, neither out nor in.
--! session main
DECLARE @h uniqueidentifier = (SELECT h FROM H);
SEND ON CONVERSATION @h (N'single');
SELECT CASE WHEN transmission_status LIKE '%single user%' OR transmission_status LIKE '%single-user%' THEN 28075 END FROM sys.transmission_queue;
GO
--! rows
--! 28075
--! session other
USE Peer;
DECLARE @t uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @t (N'to the single one');
SELECT CASE WHEN transmission_status LIKE '%single%' THEN 28015 END FROM sys.transmission_queue;
USE master;
GO
--! rows
--! 28015
--! session main
ALTER DATABASE Stately SET MULTI_USER;
GO
--! advance 70s
SELECT CAST(message_body AS nvarchar(20)) FROM Q;
SELECT CAST(message_body AS nvarchar(20)) FROM Peer.dbo.Q;
GO
--! rows
--! to the single one
--! rows
--! single
--! spec DELAY-12 DELAY-13 ALTERDB-16
-- RESTRICTED_USER: owners and administrators only.
USE master;
ALTER DATABASE Stately SET RESTRICTED_USER WITH ROLLBACK IMMEDIATE;
SELECT user_access, user_access_desc FROM sys.databases WHERE name = 'Stately';
EXECUTE AS LOGIN = 'visitor';
USE Stately;
GO
--! rows
--! 2 | RESTRICTED_USER
--! error 923
REVERT;
USE Stately;
SELECT DB_NAME();
ALTER DATABASE Stately SET MULTI_USER;
USE master;
GO
--! rows
--! Stately
--! spec ALTERDB-17 DATABASESTATE-2
-- OFFLINE: nobody gets in; its conversations stand still, timers and lifetimes too.
USE Stately;
DECLARE @h uniqueidentifier = (SELECT h FROM H);
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 10;
USE master;
ALTER DATABASE Stately SET OFFLINE WITH ROLLBACK IMMEDIATE;
SELECT state, state_desc FROM sys.databases WHERE name = 'Stately';
GO
--! rows
--! 6 | OFFLINE
USE Stately;
GO
--! error 942
SELECT * FROM Stately.dbo.T;
GO
--! error 942
SELECT COUNT(*) FROM Stately.sys.objects;
GO
--! error 942
SELECT COUNT(*) FROM Stately.sys.conversation_endpoints;
GO
--! error 942
ALTER DATABASE Stately SET ENABLE_BROKER;
GO
--! error 942
BACKUP DATABASE Stately TO DISK = 'x.bak';
GO
--! error 942
--! advance 60s
ALTER DATABASE Stately SET ONLINE;
GO
--! settle
SELECT message_type_id FROM Stately.dbo.Q WHERE message_type_id = 5;
GO
--! rows
--! 5
--! spec ALTERDB-18
-- READ_ONLY: nothing is written, and nothing is delivered to it.
ALTER DATABASE Stately SET READ_ONLY WITH NO_WAIT;
SELECT is_read_only FROM sys.databases WHERE name = 'Stately';
USE Stately;
SELECT COUNT(*) FROM H;
GO
--! rows
--! 1
--! rows
--! 1
INSERT INTO T VALUES (1);
GO
--! error 3906
UPDATE T SET id = 2;
GO
--! error 3906
DELETE FROM T;
GO
--! error 3906
TRUNCATE TABLE T;
GO
--! error 3906
CREATE TABLE Another (id int);
GO
--! error 3906
DROP QUEUE Q;
GO
--! error 3716
CREATE QUEUE Another;
GO
--! error 3906
DECLARE @h uniqueidentifier = (SELECT h FROM H);
SEND ON CONVERSATION @h (N'read-only');
GO
--! error 3906
RECEIVE * FROM Q;
GO
--! error 3906
ALTER DATABASE Stately SET ENABLE_BROKER;
GO
--! error 3906
ALTER DATABASE Stately SET NEW_BROKER;
GO
--! error 9775
--! spec ALTERDB-7 ALTERDB-19
CREATE TABLE #t (id int);
INSERT INTO #t VALUES (1);
DECLARE @v TABLE (id int);
INSERT INTO @v SELECT id FROM #t;
SELECT COUNT(*) FROM @v;
USE Peer;
DECLARE @t uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @t (N'to the reader');
SELECT CASE WHEN transmission_status LIKE '%read-only%' THEN 28014 END FROM sys.transmission_queue;
USE master;
ALTER DATABASE Stately SET READ_WRITE;
GO
--! rows
--! 1
--! rows
--! 28014
--! advance 70s
SELECT COUNT(*) FROM Peer.sys.transmission_queue;
GO
--! rows
--! 0
--! spec DELAY-14
-- MODIFY NAME: the tables, the conversations and the activation stay; the old name is free.
ALTER DATABASE Stately MODIFY NAME = Peer;
GO
--! error 1801
USE Stately;
GO
CREATE PROCEDURE Answer AS
BEGIN
    DECLARE @h uniqueidentifier, @type int;
    RECEIVE TOP (1) @h = conversation_handle, @type = message_type_id FROM Q;
    INSERT INTO T VALUES (@type);
END;
GO
ALTER QUEUE Q WITH ACTIVATION (STATUS = OFF, PROCEDURE_NAME = Answer, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
RECEIVE message_type_id FROM Q;
SELECT activation_procedure FROM sys.service_queues WHERE name = 'Q';
USE master;
GO
--! rows
--! 5
--! 14
--! 14
--! rows
--! [Stately].[dbo].[Answer]
ALTER DATABASE Stately MODIFY NAME = Renamed;
CREATE DATABASE Stately;
GO
USE Stately;
CREATE TABLE T (other nvarchar(10));
INSERT INTO T VALUES (N'new');
USE Renamed;
SELECT activation_procedure FROM sys.service_queues WHERE name = 'Q';
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON);
USE Peer;
DECLARE @t uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints);
SEND ON CONVERSATION @t (N'by any name');
GO
--! rows
--! [Renamed].[dbo].[Answer]
--! settle
SELECT id FROM Renamed.dbo.T;
SELECT other FROM Stately.dbo.T;
SELECT name FROM sys.databases WHERE name IN ('Stately', 'Renamed') ORDER BY name;
GO
--! rows
--! 14
--! rows
--! new
--! rows
--! Renamed
--! Stately
USE master;
ALTER DATABASE tempdb MODIFY NAME = other;
GO
--! error 5016
EXEC sp_renamedb 'tempdb', 'other';
GO
--! error 5016
EXEC sp_rename 'msdb', 'other', 'DATABASE';
GO
--! error 5016
ALTER DATABASE master SET OFFLINE;
GO
--! error 5058
--! spec ALTERDB-25
--! session other IN master
CREATE DATABASE Used;
GO
--! session other IN Used
SELECT 1;
GO
--! session main IN master
-- A rename does not wait for connections: 5030.
ALTER DATABASE Used MODIFY NAME = Renamed2;
GO
--! error 5030
EXEC sp_renamedb 'Used', 'Renamed2';
GO
--! error 5030
--! session other IN master
SELECT 1;
GO
--! session main IN master
ALTER DATABASE Used MODIFY NAME = Renamed2;
SELECT COUNT(*) FROM sys.databases WHERE name = 'Renamed2';
GO
--! rows
--! 1
