-- A queue, a service and an activated procedure for each tenant, made from a table by generated SQL with templates and REPLACE; dropped
-- again by a cursor over the views. Names with quotes, blanks and brackets.
CREATE DATABASE Tenants;
GO
ALTER DATABASE Tenants SET TRUSTWORTHY ON;
GO
USE Tenants;
GO
CREATE TABLE dbo.Tenant (TenantId int IDENTITY(1,1) PRIMARY KEY, Name nvarchar(50) NOT NULL UNIQUE);
CREATE TABLE dbo.Received (Tenant nvarchar(50), Body nvarchar(200), At datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME());
INSERT dbo.Tenant (Name) VALUES (N'plain'), (N'O''Neill & Sons'), (N'with [brackets]');
GO
CREATE PROCEDURE dbo.ReadTenant AS
BEGIN
    -- which queue was I activated for?
    DECLARE @queue sysname, @sql nvarchar(max);
    SELECT @queue = q.name FROM sys.dm_broker_activated_tasks t JOIN sys.service_queues q ON q.object_id = t.queue_id WHERE t.spid = @@SPID AND t.database_id = DB_ID();
    SET @sql = REPLACE(N'
DECLARE @h uniqueidentifier, @b nvarchar(200), @t sysname;
RECEIVE TOP (1) @h = conversation_handle, @b = CAST(message_body AS nvarchar(200)), @t = message_type_name FROM dbo.{queue};
IF @t = N''DEFAULT'' INSERT dbo.Received (Tenant, Body) VALUES (@name, @b);
IF @h IS NOT NULL END CONVERSATION @h;', N'{queue}', QUOTENAME(@queue));
    EXEC sys.sp_executesql @sql, N'@name sysname', @name = @queue;
END;
GO
DECLARE @template nvarchar(max) = N'
CREATE QUEUE dbo.%queue% WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.ReadTenant, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE SERVICE %service% ON QUEUE dbo.%queue% ([DEFAULT]);
GRANT SEND ON SERVICE::%service% TO public;', @sql nvarchar(max) = N'';
SELECT @sql += REPLACE(REPLACE(@template, N'%queue%', QUOTENAME(Name)), N'%service%', QUOTENAME(N'tenant/' + Name)) FROM dbo.Tenant;
EXEC sp_executesql @sql;
SELECT s.name FROM sys.services s WHERE s.name LIKE N'tenant/%' ORDER BY s.service_id;
GO
--! rows
--! tenant/plain
--! tenant/O'Neill & Sons
--! tenant/with [brackets]
CREATE PROCEDURE dbo.Tell @tenant nvarchar(50), @text nvarchar(200) AS
BEGIN
    DECLARE @service nvarchar(256) = N'tenant/' + @tenant, @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE @service TO SERVICE @service, 'CURRENT DATABASE' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@text);
END;
GO
EXEC dbo.Tell N'plain', N'1'; EXEC dbo.Tell N'O''Neill & Sons', N'2'; EXEC dbo.Tell N'with [brackets]', N'3';
EXEC dbo.Tell N'unknown', N'4';
GO
--! error 8423
--! error 8418
--! settle
SELECT Tenant, Body FROM dbo.Received ORDER BY Body;
GO
--! rows
--! plain | 1
--! O'Neill & Sons | 2
--! with [brackets] | 3
DECLARE @s sysname, @q nvarchar(260), @drop nvarchar(1000);
DECLARE doomed CURSOR LOCAL FORWARD_ONLY STATIC READ_ONLY FOR
    SELECT s.name, QUOTENAME(SCHEMA_NAME(q.schema_id)) + N'.' + QUOTENAME(q.name) FROM sys.services AS s
    INNER JOIN sys.service_queue_usages AS u ON u.service_id = s.service_id INNER JOIN sys.service_queues AS q ON q.object_id = u.service_queue_id WHERE s.name LIKE 'tenant/%';
OPEN doomed;
FETCH NEXT FROM doomed INTO @s, @q;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @drop = CONCAT(N'DROP SERVICE ', QUOTENAME(@s), N'; DROP QUEUE ', @q);
    EXEC (@drop);
    FETCH NEXT FROM doomed INTO @s, @q;
END
CLOSE doomed; DEALLOCATE doomed;
SELECT COUNT(*) FROM sys.service_queues WHERE is_ms_shipped = 0;
GO
--! rows
--! 0
