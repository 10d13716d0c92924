-- The objects that a client library makes for itself at run time: names with GUIDs, all by dynamic SQL in one batch, a procedure
-- that a conversation timer makes drop everything including itself.
CREATE DATABASE Notif;
GO
USE Notif;
GO
exec sp_executesql N'IF OBJECT_ID(''[dbo].[CleanUp-7a1b-4c]'', ''P'') IS NULL BEGIN BEGIN TRANSACTION;
EXEC (''CREATE PROCEDURE [dbo].[CleanUp-7a1b-4c] AS BEGIN BEGIN TRANSACTION; RECEIVE TOP(0) conversation_handle FROM [Work-7a1b-4c];
IF (SELECT COUNT(*) FROM [Work-7a1b-4c] WHERE message_type_name = ''''http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'''') > 0
BEGIN if ((SELECT COUNT(*) FROM sys.services WHERE name = ''''Work-7a1b-4c'''') > 0) DROP SERVICE [Work-7a1b-4c];
if (OBJECT_ID(''''[Work-7a1b-4c]'''', ''''SQ'''') IS NOT NULL) DROP QUEUE [Work-7a1b-4c]; DROP PROCEDURE [dbo].[CleanUp-7a1b-4c]; END COMMIT TRANSACTION; END'');
DECLARE @procExists int; SET @procExists = (SELECT COUNT(*) FROM sysobjects WHERE name = ''CleanUp-7a1b-4c'');
IF (@procExists = 1) BEGIN
CREATE QUEUE [Work-7a1b-4c] WITH ACTIVATION (PROCEDURE_NAME = [dbo].[CleanUp-7a1b-4c], MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE SERVICE [Work-7a1b-4c] ON QUEUE [Work-7a1b-4c] ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification]);
END COMMIT TRANSACTION END'
GO
SELECT q.name, q.is_activation_enabled, s.name AS service FROM sys.service_queues q JOIN sys.service_queue_usages u ON u.service_queue_id = q.object_id
JOIN sys.services s ON s.service_id = u.service_id WHERE q.is_ms_shipped = 0;
GO
--! rows
--! Work-7a1b-4c | 1 | Work-7a1b-4c
exec sp_executesql N'BEGIN CONVERSATION TIMER (@h) TIMEOUT = 120; WAITFOR (RECEIVE TOP (1) message_type_name, conversation_handle, cast(message_body AS XML) as message_body from [Work-7a1b-4c]), TIMEOUT @p2;', N'@h uniqueidentifier,@p2 int', @h='00000000-0000-0000-0000-000000000001', @p2=100
GO
--! error 8426
--! rows
-- The dialog that only carries the timer.
declare @h uniqueidentifier
exec sp_executesql N'BEGIN DIALOG CONVERSATION @h FROM SERVICE [Work-7a1b-4c] TO SERVICE N''Work-7a1b-4c'' ON CONTRACT [http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification] WITH ENCRYPTION = OFF; BEGIN CONVERSATION TIMER (@h) TIMEOUT = 120;', N'@h uniqueidentifier output', @h output
GO
--! advance 119s
SELECT COUNT(*) FROM sys.service_queues WHERE is_ms_shipped = 0;
GO
--! rows
--! 1
--! advance 2s
SELECT COUNT(*) FROM sys.service_queues WHERE is_ms_shipped = 0;
SELECT COUNT(*) FROM sys.services WHERE service_id > 65535; SELECT OBJECT_ID('[dbo].[CleanUp-7a1b-4c]'); SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! NULL
--! rows
--! 0
