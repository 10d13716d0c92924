-- Messages that cannot be processed go to a table after three tries, before the queue would switch itself off; a second queue has no
-- such care and is switched off by its fifth rollback, which an event notification tells a service that writes it down and mends it.
CREATE DATABASE Poison
GO
USE Poison
GO
CREATE TABLE dbo.Attempts (conversation_handle uniqueidentifier, message_sequence_number bigint, tries int, PRIMARY KEY (conversation_handle, message_sequence_number))
CREATE TABLE dbo.PoisonMessages (Id int IDENTITY PRIMARY KEY, message_type_name sysname, body nvarchar(max), reason nvarchar(2048), added datetime2(0) DEFAULT SYSUTCDATETIME())
CREATE TABLE dbo.Numbers (n int NOT NULL CHECK (n < 100))
CREATE QUEUE CarefulQ; CREATE SERVICE Careful ON QUEUE CarefulQ ([DEFAULT])
CREATE QUEUE CarelessQ; CREATE SERVICE Careless ON QUEUE CarelessQ ([DEFAULT])
CREATE QUEUE ClientQ; CREATE SERVICE Client ON QUEUE ClientQ
GO
CREATE PROC ReadCarefully AS
BEGIN
    SET NOCOUNT ON
    DECLARE @h uniqueidentifier, @seq bigint, @type sysname, @body nvarchar(max), @tries int, @reason nvarchar(2048)
    WHILE 1 = 1
    BEGIN
        SELECT @h = NULL, @reason = NULL
        BEGIN TRAN
        SAVE TRAN before_work
        ;RECEIVE TOP (1) @h = conversation_handle, @seq = message_sequence_number, @type = message_type_name, @body = message_body FROM CarefulQ
        IF @h IS NULL BEGIN ROLLBACK TRAN BREAK END
        BEGIN TRY
            IF @type = 'DEFAULT' INSERT Numbers VALUES (@body)
            ELSE END CONVERSATION @h
            COMMIT TRAN
        END TRY
        BEGIN CATCH
            SET @reason = ERROR_MESSAGE()
            SELECT @tries = ISNULL((SELECT tries FROM Attempts WHERE conversation_handle = @h AND message_sequence_number = @seq), 0) + 1
            IF @tries >= 3 AND XACT_STATE() = 1
            BEGIN
                INSERT PoisonMessages (message_type_name, body, reason) VALUES (@type, @body, @reason)
                DELETE Attempts WHERE conversation_handle = @h AND message_sequence_number = @seq
                COMMIT TRAN
            END
            ELSE
            BEGIN
                IF XACT_STATE() <> 0 ROLLBACK TRAN
                IF @tries >= 3
                BEGIN
                    BEGIN TRAN;
                    RECEIVE TOP (1) @type = message_type_name, @body = message_body FROM CarefulQ WHERE conversation_handle = @h
                    INSERT PoisonMessages (message_type_name, body, reason) VALUES (@type, @body, @reason)
                    DELETE Attempts WHERE conversation_handle = @h AND message_sequence_number = @seq
                    COMMIT
                END
                ELSE
                BEGIN
                    UPDATE Attempts SET tries += 1 WHERE conversation_handle = @h AND message_sequence_number = @seq
                    IF @@ROWCOUNT = 0 INSERT Attempts VALUES (@h, @seq, 1)
                END
            END
        END CATCH
    END
END
GO
ALTER QUEUE CarefulQ WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = ReadCarefully, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE Client TO SERVICE 'Careful' WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h (N'1')
;SEND ON CONVERSATION @h (N'none')
;SEND ON CONVERSATION @h (N'200')
;SEND ON CONVERSATION @h (N'2')
;END CONVERSATION @h
GO
--! settle
SELECT n FROM Numbers ORDER BY n
SELECT Id, body, CASE WHEN reason LIKE '%none%' THEN 'conversion' WHEN reason LIKE '%CHECK%' THEN 'check' END FROM PoisonMessages ORDER BY Id
SELECT COUNT(*) FROM Attempts
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'CarefulQ'
GO
--! rows
--! 1
--! 2
--! rows
--! 1 | none | conversion
--! 2 | 200 | check
--! rows
--! 0
--! rows
--! 1
-- The careless one, with a notification.
CREATE QUEUE AlertQ
CREATE SERVICE Alerts ON QUEUE AlertQ ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])
CREATE EVENT NOTIFICATION CarelessOff ON QUEUE CarelessQ WITH FAN_IN FOR BROKER_QUEUE_DISABLED TO SERVICE 'Alerts', 'current database'
CREATE TABLE Alert (QueueName sysname, SchemaName sysname, DatabaseName sysname, EventType sysname, Spid int NULL)
GO
CREATE PROCEDURE MendQueue AS
BEGIN
    DECLARE @body xml, @type sysname, @h uniqueidentifier, @sql nvarchar(max)
    RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name, @body = CAST(message_body AS xml) FROM AlertQ
    IF @type = N'http://schemas.microsoft.com/SQL/Notifications/EventNotification'
    BEGIN
        INSERT Alert SELECT @body.value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname'), @body.value('(/EVENT_INSTANCE/SchemaName)[1]', 'sysname'),
            @body.value('(/EVENT_INSTANCE/DatabaseName)[1]', 'sysname'), @body.value('(/EVENT_INSTANCE/EventType)[1]', 'sysname'), NULL
        -- take the message away, then on again
        SET @sql = N'ALTER QUEUE ' + QUOTENAME(@body.value('(//SchemaName)[1]', 'sysname')) + N'.' + QUOTENAME(@body.value('(//ObjectName)[1]', 'sysname')) + N' WITH STATUS = ON'
        EXEC sp_executesql @sql
    END
END
GO
ALTER QUEUE AlertQ WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = MendQueue, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
CREATE PROC ReadCarelessly AS
    BEGIN TRAN;
    DECLARE @b nvarchar(50);
    RECEIVE TOP (1) @b = message_body FROM CarelessQ;
    IF @b = N'poison' AND NOT EXISTS (SELECT * FROM Alert) BEGIN ROLLBACK; RETURN END
    INSERT Numbers VALUES (50)
    COMMIT
GO
ALTER QUEUE CarelessQ WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = ReadCarelessly, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE Client TO SERVICE 'Careless' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'poison');
GO
--! settle
SELECT QueueName, SchemaName, DatabaseName, EventType FROM Alert
SELECT COUNT(*) FROM Numbers WHERE n = 50
SELECT is_receive_enabled, is_enqueue_enabled FROM sys.service_queues WHERE name = N'CarelessQ'
GO
--! rows
--! CarelessQ | dbo | Poison | BROKER_QUEUE_DISABLED
--! rows
--! 1
--! rows
--! 1 | 1
