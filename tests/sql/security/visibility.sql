-- What a user sees of the catalog and of messages.
CREATE DATABASE Seen;
GO
USE Seen;
CREATE USER Ann WITHOUT LOGIN; CREATE USER Ben WITHOUT LOGIN; CREATE USER Own WITHOUT LOGIN;
CREATE MESSAGE TYPE M1; CREATE MESSAGE TYPE M2; CREATE CONTRACT C (M1 SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE SERVICE S1 AUTHORIZATION Own ON QUEUE Q1 ([DEFAULT]);
CREATE TABLE T (a int);
CREATE ROUTE R WITH ADDRESS = 'LOCAL';
GRANT REFERENCES ON MESSAGE TYPE::M1 TO Ann; GRANT RECEIVE ON Q1 TO Ann; GRANT INSERT ON T TO Ann;
EXECUTE AS USER = 'Ann';
SELECT name FROM sys.service_message_types WHERE name LIKE 'M_'; SELECT name FROM sys.service_contracts WHERE name = 'C';
SELECT name FROM sys.service_queues WHERE name LIKE 'Q_'; SELECT name FROM sys.services WHERE name LIKE 'S_'; SELECT name FROM sys.routes;
SELECT name FROM sys.objects WHERE type IN ('U', 'SQ') AND is_ms_shipped = 0 ORDER BY name; SELECT name FROM sys.columns WHERE OBJECT_NAME(object_id) = 'T';
REVERT;
EXECUTE AS USER = 'Own'; SELECT name FROM sys.services WHERE name LIKE 'S_'; REVERT;
GO
--! rows
--! M1
--! rows
--! rows
--! Q1
--! rows
--! rows
--! rows
--! Q1
--! T
--! rows
--! a
--! rows
--! S1
--! spec VISIBLE-1
DENY VIEW DEFINITION ON OBJECT::T TO Ann;
EXECUTE AS USER = 'Ann'; SELECT name FROM sys.tables; REVERT;
GRANT VIEW DEFINITION TO Ben;
EXECUTE AS USER = 'Ben';
SELECT name FROM sys.service_message_types WHERE name LIKE 'M_' ORDER BY name; SELECT name FROM sys.services WHERE name LIKE 'S_'; SELECT name FROM sys.tables;
REVERT;
GO
--! rows
--! rows
--! M1
--! M2
--! rows
--! S1
--! rows
--! T
--! spec VISIBLE-2 VISIBLE-3
EXECUTE AS USER = 'Ann';
ALTER MESSAGE TYPE M2 VALIDATION = NONE;
GO
--! error 15151
DROP ROUTE R;
GO
--! error 15151
GRANT REFERENCES ON MESSAGE TYPE::M2 TO Ben;
GO
--! error 15151
--! spec VISIBLE-6
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! error 300
--! error 297
SELECT COUNT(*) FROM sys.dm_broker_connections;
GO
--! error 300
--! error 297
REVERT;
USE master;
CREATE LOGIN Sal WITH PASSWORD = 'x'; EXECUTE AS LOGIN = 'Sal';
SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE is_user_process = 1;
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors;
GO
--! rows
--! 1
--! error 300
--! error 297
REVERT; GRANT VIEW SERVER STATE TO Sal; EXECUTE AS LOGIN = 'Sal';
SELECT COUNT(*) FROM sys.dm_broker_queue_monitors;
REVERT; USE Seen;
GO
--! rows
--! 0
--! spec VISIBLE-4
-- A message that waits: only for db_owner.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'NoWhere' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'waits');
SELECT COUNT(*) FROM sys.transmission_queue;
ALTER ROLE db_owner ADD MEMBER Ben;
EXECUTE AS USER = 'Ben'; SELECT COUNT(*) FROM sys.transmission_queue; REVERT;
EXECUTE AS USER = 'Own'; SELECT COUNT(*) FROM sys.transmission_queue; REVERT;
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 0
--! spec VISIBLE-5
-- Metadata functions, and the text of a module: that is for VIEW DEFINITION.
CREATE USER Eva WITHOUT LOGIN;
GO
CREATE PROCEDURE Hidden AS RETURN 1;
GO
GRANT EXECUTE ON Hidden TO Ann;
EXECUTE AS USER = 'Eva'; SELECT OBJECT_ID('Hidden'), OBJECT_ID('T'); REVERT;
DECLARE @id int = OBJECT_ID('Hidden');
EXECUTE AS USER = 'Eva'; SELECT OBJECT_NAME(@id); REVERT;
EXECUTE AS USER = 'Ann'; SELECT OBJECT_NAME(@id), OBJECT_DEFINITION(@id), (SELECT definition FROM sys.sql_modules WHERE object_id = @id), (SELECT COUNT(*) FROM sys.procedures); REVERT;
GRANT VIEW DEFINITION ON Hidden TO Ann;
EXECUTE AS USER = 'Ann'; SELECT OBJECT_DEFINITION(@id), (SELECT definition FROM sys.sql_modules WHERE object_id = @id); REVERT;
GO
--! rows
--! NULL | NULL
--! rows
--! NULL
--! rows
--! Hidden | NULL | NULL | 1
--! rows
--! CREATE PROCEDURE Hidden AS RETURN 1; | CREATE PROCEDURE Hidden AS RETURN 1;
--! spec VISIBLE-1 VISIBLE-7
EXECUTE AS USER = 'Eva'; EXEC sp_helptext 'Hidden';
GO
--! error 15009
EXEC sp_configure 'show advanced options', 1;
GO
--! error 15247
EXEC sp_addmessage 60001, 16, N'mine';
GO
--! error 15247
REVERT;
GO
