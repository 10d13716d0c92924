-- Statements that need a database for themselves: they wait, give up, or end the sessions in their way.
CREATE DATABASE Busy;
GO
USE Busy;
CREATE TABLE T (id int);
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
USE master;
GO
--! session other IN Busy
BEGIN TRANSACTION;
INSERT INTO T VALUES (1);
GO
-- NO_WAIT fails at once; so does a lock timeout when it is over.
--! session main
ALTER DATABASE Busy SET DISABLE_BROKER WITH NO_WAIT;
GO
--! error 5070
SET LOCK_TIMEOUT 2000;
ALTER DATABASE Busy SET DISABLE_BROKER;
GO
--! error 5061
SET LOCK_TIMEOUT -1;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Busy';
GO
--! rows
--! 1
--! spec ALTERDB-12 ALTERDB-13
-- Without a clause it waits for everybody to leave, whatever they do there.
ALTER DATABASE Busy SET DISABLE_BROKER;
GO
--! blocked
--! session other
CREATE TABLE MeanwhileMade (id int);
COMMIT;
GO
--! session main
--! settle
--! session other
USE master;
GO
--! session main
--! finishes
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Busy';
SELECT COUNT(*) FROM Busy.dbo.T;
SELECT OBJECT_ID('Busy.dbo.MeanwhileMade') - OBJECT_ID('Busy.dbo.MeanwhileMade');
GO
--! rows
--! 0
--! rows
--! 1
--! rows
--! 0
--! spec ALTERDB-10
-- The session's own presence does not count.
USE Busy;
ALTER DATABASE Busy SET ENABLE_BROKER WITH NO_WAIT;
USE master;
GO
--! spec ALTERDB-11
-- ROLLBACK IMMEDIATE: the transactions of the others are rolled back, their connections end.
--! session idle IN Busy
BEGIN TRANSACTION;
INSERT INTO T VALUES (2);
GO
--! session waiting IN Busy
WAITFOR (RECEIVE * FROM Q);
GO
--! blocked
--! session main
ALTER DATABASE Busy SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
SELECT is_broker_enabled FROM sys.databases WHERE name = 'Busy';
SELECT COUNT(*) FROM Busy.dbo.T;
SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE database_id = DB_ID('Busy');
GO
--! rows
--! 0
--! rows
--! 1
--! rows
--! 0
--! session idle
SELECT 1;
GO
--! error 596 severity 21
--! session waiting
--! finishes
--! error 596
--! session main
--! spec ALTERDB-14
-- ROLLBACK AFTER gives them so many seconds.
--! session late IN Busy
BEGIN TRANSACTION;
INSERT INTO T VALUES (3);
GO
--! session main
ALTER DATABASE Busy SET ENABLE_BROKER WITH ROLLBACK AFTER 30 SECONDS;
GO
--! blocked
--! advance 29s
--! session late
SELECT COUNT(*) FROM T;
GO
--! rows
--! 2
--! session main
--! advance 2s
--! finishes
SELECT COUNT(*) FROM Busy.dbo.T;
GO
--! rows
--! 1
--! session late
SELECT 1;
GO
--! error 596
--! spec ALTERDB-15
-- Who leaves in time goes on.
--! session quick IN Busy
BEGIN TRANSACTION;
INSERT INTO T VALUES (4);
GO
--! session main
ALTER DATABASE Busy SET NEW_BROKER WITH ROLLBACK AFTER 30;
GO
--! blocked
--! session quick
COMMIT;
USE master;
GO
--! session main
--! finishes
SELECT COUNT(*) FROM Busy.dbo.T;
GO
--! rows
--! 2
--! session quick
SELECT DB_NAME();
GO
--! rows
--! master
--! session main
-- An activated task is in the way like anybody else.
USE Busy;
GO
CREATE PROCEDURE Slow AS WAITFOR (RECEIVE * FROM Q), TIMEOUT 3600000;
GO
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Slow, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
USE master;
GO
--! settle
ALTER DATABASE Busy SET NEW_BROKER WITH NO_WAIT;
GO
--! advance 1s
ALTER DATABASE Busy SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! 0
-- KILL ends one session.
--! session victim IN Busy
BEGIN TRANSACTION;
INSERT INTO T VALUES (5);
GO
--! session main
KILL 9999;
GO
--! error 6106
DECLARE @id int = (SELECT session_id FROM sys.dm_exec_sessions WHERE database_id = DB_ID('Busy')), @text nvarchar(100) = N'KILL ';
SET @text += CAST(@id AS nvarchar(10));
EXEC (@text);
SELECT COUNT(*) FROM Busy.dbo.T;
SET @text = N'KILL ' + CAST(@@SPID AS nvarchar(10));
EXEC (@text);
GO
--! rows
--! 2
--! error 6104
--! session victim
SELECT 1;
GO
--! error 596
--! session main
-- DROP DATABASE does not wait.
--! session holder IN Busy
SELECT DB_NAME();
GO
--! session main
DROP DATABASE Busy;
GO
--! error 3702
ALTER DATABASE Busy SET SINGLE_USER WITH ROLLBACK IMMEDIATE;
DROP DATABASE Busy;
SELECT COUNT(*) FROM sys.databases WHERE name = 'Busy';
GO
--! rows
--! 0
--! spec ALTERDB-24
