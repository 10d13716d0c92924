-- Nothing changes a system view: error 259, however it is named, and before anything of the batch runs.
CREATE DATABASE Other;
GO
CREATE TABLE dbo.T (i int);
GO
CREATE VIEW dbo.Names AS SELECT name FROM sys.objects;
GO
--! spec SYSVIEW-1
UPDATE sys.objects SET name = 'x';
GO
--! error 259
UPDATE [sys].[objects] SET name = 'x';
GO
--! error 259
INSERT SYS.OBJECTS (name) VALUES ('x');
GO
--! error 259
INSERT sys.objects DEFAULT VALUES;
GO
--! error 259
INSERT sys.objects (name) SELECT name FROM sys.tables;
GO
--! error 259
DELETE Other.sys.objects;
GO
--! error 259
UPDATE Other..sysobjects SET name = 'x';
GO
--! error 259
DELETE FROM o FROM sys.objects AS o JOIN dbo.T ON T.i = o.object_id;
GO
--! error 259
MERGE sys.objects AS t USING (SELECT 1 AS x) AS s ON s.x = 1 WHEN MATCHED THEN DELETE;
GO
--! error 259
WITH c AS (SELECT * FROM sys.objects) DELETE c;
GO
--! error 259
DECLARE @t TABLE (i int); INSERT @t OUTPUT inserted.i INTO sys.objects VALUES (1);
GO
--! error 259
UPDATE dbo.Names SET name = 'x';
GO
--! error 259
DELETE sysobjects;
GO
--! error 259
DELETE dbo.sysobjects;
GO
--! error 259
DELETE INFORMATION_SCHEMA.TABLES;
GO
--! error 259
DELETE sys.dm_exec_sessions;
GO
--! error 259
DELETE sys.transmission_queue;
GO
--! error 259
UPDATE sys.conversation_endpoints SET state = 'CD';
GO
--! error 259
BULK INSERT sys.objects FROM 'nowhere';
GO
--! error 259
--! spec SYSVIEW-2
PRINT 'not said';
BEGIN TRY DELETE sys.objects; END TRY BEGIN CATCH PRINT 'not caught'; END CATCH;
GO
--! error 259 line 2
BEGIN TRY EXEC ('DELETE sys.objects'); END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH;
GO
--! rows
--! 259
-- What is no system view is missing.
DELETE sys.nothing;
GO
--! error 208
DELETE objects;
GO
--! error 208
DELETE Nobody.sys.objects;
GO
--! error 208
