-- Activation procedures of the published styles, each on a queue of its own: CAST to xml, implicit varbinary to xml, a cursor over a
-- table variable, a transaction around WAITFOR, and an IF chain without semicolons.
CREATE DATABASE Styles
GO
ALTER DATABASE Styles SET ENABLE_BROKER
GO
USE Styles
GO
CREATE TABLE dbo.Log (Id int IDENTITY(1,1) PRIMARY KEY, Who sysname, Type sysname NULL, Text nvarchar(max))
CREATE MESSAGE TYPE [urn:styles/Ask] VALIDATION = WELL_FORMED_XML
CREATE MESSAGE TYPE [urn:styles/Answer] VALIDATION = WELL_FORMED_XML
CREATE CONTRACT [urn:styles/Talk] ([urn:styles/Ask] SENT BY INITIATOR, [urn:styles/Answer] SENT BY TARGET)
GO
-- The procedure exists before its queue (deferred names).
CREATE PROCEDURE dbo.StyleCast
AS
    SET NOCOUNT ON;
    DECLARE @ConversationHandle UNIQUEIDENTIFIER
    DECLARE @MessageBody XML
    DECLARE @MessageTypeName SYSNAME

    WHILE (1 = 1)
    BEGIN
        BEGIN TRY
            BEGIN TRANSACTION
            WAITFOR (
                RECEIVE TOP(1)
                    @MessageTypeName = message_type_name,
                    @MessageBody = CAST(message_body AS XML),
                    @ConversationHandle = conversation_handle
                FROM dbo.CastQueue
            ), TIMEOUT 1000
            IF (@@ROWCOUNT = 0)
            BEGIN
                ROLLBACK TRANSACTION
                BREAK
            END
            IF @MessageTypeName = N'urn:styles/Ask'
            BEGIN
                DECLARE @reply xml
                SET @reply = N'<Answer><Name>' + @MessageBody.value('(/Ask/@name)[1]', 'nvarchar(50)') + N'</Name></Answer>';
                SEND ON CONVERSATION @ConversationHandle MESSAGE TYPE [urn:styles/Answer](@reply)
                END CONVERSATION @ConversationHandle
            END
            ELSE IF @MessageTypeName = N'http://schemas.microsoft.com/sql/servicebroker/enddialog'
                END CONVERSATION @ConversationHandle
            ELSE IF @MessageTypeName = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error'
            BEGIN;
                END CONVERSATION (@ConversationHandle);
            END
            INSERT INTO Log SELECT N'cast', @MessageTypeName, CAST(@MessageBody AS nvarchar(max))
            COMMIT TRANSACTION
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0 ROLLBACK TRANSACTION
            INSERT INTO Log VALUES (N'cast', NULL, ERROR_MESSAGE())
        END CATCH
    END
GO
CREATE PROCEDURE dbo.StyleImplicit AS
BEGIN
    DECLARE @h uniqueidentifier, @type nvarchar(256), @doc xml;
    BEGIN TRY;
        BEGIN TRAN;
        ;RECEIVE TOP (1) @h = [Conversation_Handle], @type = message_type_name, @doc = message_body FROM [dbo].[ImplicitQueue];
        IF @h IS NOT NULL
        BEGIN
            IF @type = 'urn:styles/Ask'
                INSERT Log (Who, Type, Text)
                SELECT 'implicit', @type, n.value('@id', 'int') + n.value('(text())[1]', 'int')
                FROM @doc.nodes('/Ask/Line') AS d(n)
            IF @type = 'urn:styles/Ask'
                END CONVERSATION @h WITH ERROR = 127
                    DESCRIPTION = N'Enough.'
            ELSE
                END CONVERSATION @h
        END
        COMMIT;
    END TRY BEGIN CATCH
        DECLARE @n int = ERROR_NUMBER(), @m nvarchar(3000) = ERROR_MESSAGE();
        IF XACT_STATE() = -1 ROLLBACK;
        IF XACT_STATE() = 1 AND @@TRANCOUNT > 0 ROLLBACK;
        RAISERROR (N'implicit %d: %s', 16, 1, @n, @m) WITH LOG;
    END CATCH
END
GO
CREATE PROCEDURE dbo.StyleCursor AS
    SET NOCOUNT ON
    DECLARE @inbox TABLE (queuing_order bigint, handle uniqueidentifier, message_type sysname, body varbinary(max));
    DECLARE @h uniqueidentifier, @t sysname, @b varbinary(max), @ended int = 0;
    WAITFOR (RECEIVE queuing_order, conversation_handle, message_type_name, message_body FROM CursorQueue INTO @inbox), TIMEOUT 500;
    WHILE EXISTS (SELECT * FROM @inbox)
    BEGIN
        DECLARE inbox_cursor CURSOR LOCAL FAST_FORWARD READ_ONLY FOR
            SELECT handle, message_type, body FROM @inbox ORDER BY queuing_order
        OPEN inbox_cursor
        FETCH NEXT FROM inbox_cursor INTO @h, @t, @b
        WHILE @@FETCH_STATUS = 0
        BEGIN
            IF @t = N'urn:styles/Ask'
            BEGIN
                INSERT INTO dbo.Log (Who, Type, Text) VALUES ('cursor', @t, CONVERT(xml, @b).value('data(/Ask[1])', 'nvarchar(30)'));
                DECLARE @answer xml = CONVERT(xml, N'<Answer/>')
                ;SEND ON CONVERSATION @h MESSAGE TYPE [urn:styles/Answer] (@answer)
            END ELSE BEGIN
                END CONVERSATION @h
                SET @ended += 1
            END
            FETCH NEXT FROM inbox_cursor INTO @h, @t, @b
        END
        CLOSE inbox_cursor
        DEALLOCATE inbox_cursor
        DELETE FROM @inbox
        WAITFOR (RECEIVE queuing_order, conversation_handle, message_type_name, message_body FROM CursorQueue INTO @inbox), TIMEOUT 500
    END
    IF @ended > 0 INSERT Log SELECT 'cursor', NULL, N'ended ' + CAST(@ended AS varchar(10))
    RETURN 0
GO
CREATE QUEUE CastQueue WITH STATUS=ON, ACTIVATION (STATUS=ON, PROCEDURE_NAME=dbo.StyleCast, MAX_QUEUE_READERS=1, EXECUTE AS SELF)
CREATE QUEUE ImplicitQueue WITH ACTIVATION (PROCEDURE_NAME = Styles.dbo.StyleImplicit, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)
CREATE QUEUE CursorQueue
CREATE QUEUE AskQueue
CREATE SERVICE CastService ON QUEUE CastQueue ([urn:styles/Talk])
CREATE SERVICE ImplicitService ON QUEUE ImplicitQueue ([urn:styles/Talk])
CREATE SERVICE CursorService ON QUEUE CursorQueue ([urn:styles/Talk])
CREATE SERVICE AskService ON QUEUE AskQueue
GO
ALTER QUEUE CursorQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = StyleCursor, MAX_QUEUE_READERS = 1, EXECUTE AS 'dbo')
GO
SELECT name, activation_procedure, is_activation_enabled, max_readers FROM sys.service_queues WHERE is_ms_shipped = 0 ORDER BY name
GO
--! rows
--! AskQueue | NULL | 0 | 0
--! CastQueue | [Styles].[dbo].[StyleCast] | 1 | 1
--! CursorQueue | [Styles].[dbo].[StyleCursor] | 1 | 1
--! ImplicitQueue | [Styles].[dbo].[StyleImplicit] | 1 | 2
DECLARE @h uniqueidentifier, @x xml
SET @x = N'<Ask name="Zoë"/>'
BEGIN DIALOG CONVERSATION @h FROM SERVICE AskService TO SERVICE N'CastService', 'CURRENT DATABASE' ON CONTRACT [urn:styles/Talk]
    WITH ENCRYPTION = OFF, LIFETIME = 600;
SEND ON CONVERSATION @h MESSAGE TYPE [urn:styles/Ask] (@x)
WAITFOR (RECEIVE TOP (1) @x = message_body FROM AskQueue), TIMEOUT 5000
SELECT @x.value('(/Answer/Name)[1]', 'nvarchar(50)') AS [answer]
WAITFOR (RECEIVE message_type_name, message_body FROM AskQueue WHERE conversation_handle = @h), TIMEOUT 5000
END CONVERSATION @h
GO
--! rows
--! Zoë
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
DECLARE @h uniqueidentifier, @service nvarchar(256) = N'ImplicitService', @contract sysname = 'urn:styles/Talk', @type sysname = 'urn:styles/Ask'
DECLARE @error xml
BEGIN DIALOG @h FROM SERVICE [AskService] TO SERVICE @service ON CONTRACT @contract WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h MESSAGE TYPE @type (N'<Ask><Line id="40">2</Line><Line id="1">6</Line></Ask>')
WAITFOR (RECEIVE TOP (1) @error = CAST(message_body AS xml), @type = message_type_name FROM AskQueue), TIMEOUT 5000
;WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT @type, @error.value('(/Error/Code)[1]', 'int'), @error.value('(/Error/Description)[1]', 'nvarchar(100)')
END CONVERSATION @h
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | 127 | Enough.
DECLARE @a uniqueidentifier, @b uniqueidentifier
BEGIN DIALOG @a FROM SERVICE AskService TO SERVICE 'CursorService' ON CONTRACT [urn:styles/Talk] WITH ENCRYPTION = OFF
BEGIN DIALOG @b FROM SERVICE AskService TO SERVICE 'CursorService' ON CONTRACT [urn:styles/Talk] WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @a MESSAGE TYPE [urn:styles/Ask] ('<Ask>first</Ask>')
;SEND ON CONVERSATION @b MESSAGE TYPE [urn:styles/Ask] (0x3C41736B3E62696E6172793C2F41736B3E)
END CONVERSATION @a
END CONVERSATION @b
GO
--! settle
--! advance 5s
SELECT Who, Type, Text FROM dbo.Log WHERE Who <> 'cursor' ORDER BY Id
SELECT Type, Text FROM dbo.Log WHERE Who = 'cursor' ORDER BY Id
SELECT state, COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1 GROUP BY state
SELECT COUNT(*) FROM CastQueue WITH (NOLOCK) UNION ALL SELECT COUNT(*) FROM ImplicitQueue UNION ALL SELECT COUNT(*) FROM CursorQueue
GO
--! rows
--! cast | urn:styles/Ask | <Ask name="Zoë"/>
--! implicit | urn:styles/Ask | 42
--! implicit | urn:styles/Ask | 7
--! rows
--! urn:styles/Ask | first
--! urn:styles/Ask | binary
--! NULL | ended 2
--! rows
--! rows
--! 0
--! 0
--! 0
