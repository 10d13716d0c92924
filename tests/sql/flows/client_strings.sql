-- Texts as C# programs hold them: verbatim strings with everything on few lines, string.Format leftovers, parameters by sp_executesql
-- with types, one batch that begins, sends and returns the handle, a receive loop in a command text, SCOPE_IDENTITY back to the client.
CREATE DATABASE [ClientDb];
GO
ALTER DATABASE [ClientDb] SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
GO
USE [ClientDb];
GO
IF NOT EXISTS (SELECT * FROM sys.service_queues WHERE name = 'ClientQueue') BEGIN CREATE QUEUE [dbo].[ClientQueue]; END;
IF NOT EXISTS (SELECT * FROM sys.services WHERE name = 'ClientService') BEGIN CREATE SERVICE [ClientService] ON QUEUE [dbo].[ClientQueue]([DEFAULT]); END;
IF NOT EXISTS (SELECT 1 FROM sys.tables WHERE name='Outbox' AND schema_id = SCHEMA_ID('dbo')) CREATE TABLE [dbo].[Outbox]([Id] BIGINT IDENTITY NOT NULL PRIMARY KEY,[Payload] NVARCHAR(MAX) NOT NULL,[Handle] UNIQUEIDENTIFIER NULL);
GO
exec sp_executesql N'SET NOCOUNT ON; SET XACT_ABORT ON;
                DECLARE @dialog uniqueidentifier;
                BEGIN TRAN;
                BEGIN DIALOG @dialog FROM SERVICE [ClientService] TO SERVICE @to WITH ENCRYPTION = OFF, LIFETIME = @lifetime;
                SEND ON CONVERSATION @dialog (@payload);
                INSERT INTO [dbo].[Outbox]([Payload],[Handle]) VALUES (CONVERT(NVARCHAR(MAX),@payload),@dialog);
                COMMIT TRAN;
                SELECT CAST(SCOPE_IDENTITY() AS BIGINT) AS Id;',N'@to nvarchar(13),@lifetime int,@payload varbinary(8)',@to=N'ClientService',@lifetime=60,@payload=0x7B00300031007D00
go
--! rows
--! columns Id
--! 1
exec sp_executesql N'WAITFOR(RECEIVE TOP(@count) conversation_handle,message_type_name,message_body FROM [dbo].[ClientQueue]),TIMEOUT @timeout;',N'@count int,@timeout int',@count=10,@timeout=1000
go
--! rows
--! * | DEFAULT | 0x7B00300031007D00
-- The queue's name comes by string.Format.
DECLARE @p1 uniqueidentifier
SET @p1=NULL
exec sp_executesql N'BEGIN DIALOG @h FROM SERVICE [ClientService] TO SERVICE N''ClientService'' WITH ENCRYPTION=OFF;SEND ON CONVERSATION @h MESSAGE TYPE [DEFAULT] (@body)',N'@h uniqueidentifier output,@body nvarchar(max)',@h=@p1 output,@body=N'{"id":7,"name":"x"}'
select CASE WHEN @p1 IS NULL THEN 0 ELSE 1 END AS HasHandle
go
--! rows
--! 1
DECLARE @handle UNIQUEIDENTIFIER, @type SYSNAME, @body VARBINARY(MAX); WAITFOR (RECEIVE TOP (1) @handle = conversation_handle, @type = message_type_name, @body = message_body FROM [dbo].[ClientQueue]), TIMEOUT 5000; IF @handle IS NOT NULL BEGIN SELECT @type AS [Type], JSON_VALUE(CAST(@body AS NVARCHAR(MAX)), '$.name') AS [Name]; END CONVERSATION @handle; END
go
--! rows
--! DEFAULT | x
-- INSERT … EXEC of a procedure that receives, and of the text itself.
CREATE PROCEDURE dbo.Dequeue @max int AS SET NOCOUNT ON; RECEIVE TOP (@max) message_type_name, CAST(message_body AS nvarchar(200)) FROM dbo.ClientQueue;
go
declare @r table (t sysname, b nvarchar(200))
insert @r exec dbo.Dequeue 5
select t, b from @r
insert into @r (t, b) exec ('select ''text'', ''body''')
select count(*) from @r
go
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
--! rows
--! 2
-- A unit test's tear-down.
DECLARE @sql NVARCHAR(MAX)=N'';
SELECT @sql+='END CONVERSATION '''+CAST(conversation_handle AS NVARCHAR(36))+''' WITH CLEANUP;' FROM sys.conversation_endpoints;
EXEC sp_executesql @sql;
SELECT @sql=N'';
SELECT @sql+=N'DROP SERVICE '+QUOTENAME(name)+N';' FROM sys.services WHERE service_id>65535;
SELECT @sql+=N'DROP QUEUE '+QUOTENAME(SCHEMA_NAME(schema_id))+N'.'+QUOTENAME(name)+N';' FROM sys.service_queues WHERE is_ms_shipped=0;
EXEC(@sql);
SELECT COUNT(*) FROM sys.services WHERE service_id>65535;
go
--! rows
--! 0
