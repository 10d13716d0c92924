-- A dialog between two databases with routes of both kinds, built by a script that runs the same text in each, by three-part names and by
-- USE; wrong and expired routes, broker ids, a broker that is off, and what sys.transmission_queue says meanwhile.
USE master;
GO
CREATE DATABASE North; CREATE DATABASE South;
GO
DECLARE @db sysname, @sql nvarchar(max);
DECLARE dbs CURSOR LOCAL STATIC FOR SELECT name FROM sys.databases WHERE name IN (N'North', N'South');
OPEN dbs;
WHILE 1 = 1
BEGIN
    FETCH NEXT FROM dbs INTO @db;
    IF @@FETCH_STATUS <> 0 BREAK;
    SET @sql = N'USE ' + QUOTENAME(@db) + N';
    CREATE MESSAGE TYPE [mail] VALIDATION = NONE;
    CREATE CONTRACT [post] ([mail] SENT BY ANY);
    CREATE QUEUE dbo.Box;
    CREATE SERVICE [' + @db + N'/post] ON QUEUE dbo.Box ([post]);
    DROP ROUTE AutoCreatedLocal;';
    EXEC (@sql);
END;
CLOSE dbs; DEALLOCATE dbs;
SELECT name FROM North.sys.services WHERE service_id > 65535 UNION ALL SELECT name FROM South.sys.services WHERE service_id > 65535;
GO
--! rows
--! North/post
--! South/post
USE North;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [North/post] TO SERVICE N'South/post' ON CONTRACT [post] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [mail] (N'no route');
GO
--! settle
SELECT CASE WHEN transmission_status <> N'' THEN 'told' END AS told, to_service_name, is_conversation_error FROM sys.transmission_queue;
GO
--! rows
--! told | South/post | 0
CREATE ROUTE ToSouth WITH SERVICE_NAME = N'South/post', ADDRESS = N'LOCAL';
EXEC South.sys.sp_executesql N'CREATE ROUTE ToNorth WITH SERVICE_NAME = N''North/post'', ADDRESS = N''LOCAL''';
GO
--! advance 90s
-- The route is there, but the sender's database is not trusted.
SELECT COUNT(*) FROM sys.transmission_queue WHERE transmission_status LIKE N'%"South"%';
ALTER DATABASE North SET TRUSTWORTHY ON; ALTER DATABASE South SET TRUSTWORTHY ON;
GO
--! rows
--! 1
--! advance 90s
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT CAST(message_body AS nvarchar(20)) FROM South.dbo.Box;
GO
--! rows
--! 0
--! rows
--! no route
-- A dialog that names the broker needs no route to it inside the instance, even when the only route names another.
ALTER ROUTE ToSouth WITH SERVICE_NAME = N'South/post', BROKER_INSTANCE = N'11111111-2222-3333-4444-555555555555';
DECLARE @h uniqueidentifier, @south nvarchar(40);
SELECT @south = CONVERT(nvarchar(40), service_broker_guid) FROM sys.databases WHERE name = N'South';
BEGIN DIALOG @h FROM SERVICE [North/post] TO SERVICE N'South/post', @south ON CONTRACT [post] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [mail] (N'by its id');
SELECT COUNT(*) FROM sys.transmission_queue; SELECT CAST(message_body AS nvarchar(20)) FROM South..Box WHERE message_sequence_number = 0 ORDER BY 1;
GO
--! rows
--! 0
--! rows
--! by its id
--! no route
-- A broker that is off keeps messages in the sender's database.
ALTER DATABASE South SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
GO
DECLARE @h uniqueidentifier;
SELECT TOP (1) @h = conversation_handle FROM sys.conversation_endpoints;
SEND ON CONVERSATION @h MESSAGE TYPE [mail] (N'wait');
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 1
ALTER DATABASE South SET ENABLE_BROKER;
GO
--! advance 90s
SELECT COUNT(*) FROM South.dbo.Box; SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 3
--! rows
--! 0
-- An answer goes back by the other route; a route with a lifetime ends, but a conversation that knows its broker finds it.
USE South;
GO
DECLARE @h uniqueidentifier;
RECEIVE TOP (1) @h = conversation_handle FROM dbo.Box;
SEND ON CONVERSATION @h MESSAGE TYPE [mail] (N'answer');
SELECT CAST(message_body AS nvarchar(20)) FROM North.dbo.Box;
ALTER ROUTE ToNorth WITH LIFETIME = 60;
SELECT DATEDIFF(second, GETUTCDATE(), lifetime) FROM sys.routes WHERE name = 'ToNorth';
GO
--! rows
--! answer
--! rows
--! 60
--! advance 61s
DECLARE @h uniqueidentifier;
RECEIVE TOP (1) @h = conversation_handle FROM dbo.Box;
SEND ON CONVERSATION @h MESSAGE TYPE [mail] (N'known');
SELECT COUNT(*) FROM sys.transmission_queue; SELECT CAST(message_body AS nvarchar(20)) FROM North.dbo.Box WHERE message_body = CAST(N'known' AS varbinary(20));
DROP ROUTE ToNorth; DROP ROUTE ToNorth;
GO
--! rows
--! 0
--! rows
--! known
--! error 15151 line 5
USE master;
DROP DATABASE North, South;
GO
