-- Activation from outside: QUEUE_ACTIVATION notifications of several queues arrive in one queue, where a program (here a session) waits
-- with RECEIVE, finds out which queue has work, and drains it. Internal activation on such a queue is refused.
CREATE DATABASE Outside;
GO
USE Outside;
GO
CREATE QUEUE dbo.NotificationQueue;
CREATE SERVICE [NotificationService] ON QUEUE dbo.NotificationQueue ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
GO
CREATE QUEUE dbo.WorkA; CREATE QUEUE dbo.WorkB;
CREATE SERVICE WorkerA ON QUEUE dbo.WorkA ([DEFAULT]);
CREATE SERVICE WorkerB ON QUEUE dbo.WorkB ([DEFAULT]);
GO
DECLARE @q sysname, @sql nvarchar(1000);
DECLARE c CURSOR FOR SELECT name FROM sys.service_queues WHERE name LIKE 'Work_' ORDER BY name;
OPEN c;
FETCH c INTO @q;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @sql = N'CREATE EVENT NOTIFICATION [Notify' + @q + N'] ON QUEUE [dbo].[' + @q + N'] FOR QUEUE_ACTIVATION TO SERVICE ''NotificationService'', ''current database'';';
    EXEC sys.sp_executesql @sql;
    FETCH c INTO @q;
END;
CLOSE c; DEALLOCATE c;
SELECT en.name, q.name AS queue_name, en.service_name FROM sys.event_notifications en JOIN sys.service_queues q ON q.object_id = en.parent_id ORDER BY 1;
GO
--! rows
--! NotifyWorkA | WorkA | NotificationService
--! NotifyWorkB | WorkB | NotificationService
CREATE PROCEDURE Inner_ AS RETURN
GO
ALTER QUEUE dbo.WorkA WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Inner_, MAX_QUEUE_READERS = 1, EXECUTE AS SELF)
GO
--! error 9717
-- The program outside.
--! session outside IN Outside
DECLARE @h uniqueidentifier, @type sysname, @x xml, @queue sysname, @sql nvarchar(max), @n int, @seen nvarchar(200) = N'';
WHILE 1 = 1
BEGIN
    SET @h = NULL;
    WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name, @x = message_body FROM dbo.NotificationQueue), TIMEOUT 30000;
    IF @h IS NULL BREAK;
    IF @type <> N'http://schemas.microsoft.com/SQL/Notifications/EventNotification' BEGIN END CONVERSATION @h; CONTINUE; END
    SELECT @queue = QUOTENAME(@x.value('(/EVENT_INSTANCE/DatabaseName)[1]', 'sysname')) + N'.' + QUOTENAME(@x.value('(/EVENT_INSTANCE/SchemaName)[1]', 'sysname'))
        + N'.' + QUOTENAME(@x.value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname'));
    SET @sql = N'DECLARE @one nvarchar(100); SET @n = 0;
WHILE 1 = 1
BEGIN
    SET @one = NULL;
    WAITFOR (RECEIVE TOP (1) @one = CAST(message_body AS nvarchar(100)) FROM ' + @queue + N'), TIMEOUT 500;
    IF @@ROWCOUNT = 0 BREAK;
    SET @n += 1; SET @all += @one + N'' '';
END';
    EXEC sp_executesql @sql, N'@n int OUTPUT, @all nvarchar(200) OUTPUT', @n OUTPUT, @seen OUTPUT;
    RAISERROR (N'%s had %d messages', 0, 1, @queue, @n) WITH NOWAIT;
END;
SELECT @seen AS seen;
GO
--! blocked
--! session main
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE WorkerA TO SERVICE 'WorkerB' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'b1'); SEND ON CONVERSATION @h (N'b2');
GO
--! advance 10s
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE WorkerB TO SERVICE 'WorkerA' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'a1');
GO
--! advance 60s
--! finishes outside
--! print [Outside].[dbo].[WorkB] had 2 messages
--! print [Outside].[dbo].[WorkA] had 1 messages
--! rows
--! b1 b2 a1 
--! session main
-- Switched off again.
DROP EVENT NOTIFICATION NotifyWorkA ON QUEUE dbo.WorkA
DROP EVENT NOTIFICATION NotifyWorkB ON QUEUE dbo.WorkB
SELECT COUNT(*) FROM sys.event_notifications
ALTER QUEUE dbo.WorkA WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Inner_, MAX_QUEUE_READERS = 1, EXECUTE AS SELF)
SELECT is_activation_enabled FROM sys.service_queues WHERE name = 'WorkA'
GO
--! rows
--! 0
--! rows
--! 1
