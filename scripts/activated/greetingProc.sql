-- Serves: Greetings.dbo.greetingQueue (samples/request-reply.sql).
-- Answers <greet name="..."/> with <greeting>Hello, ...</greeting> and ends its side; refuses a request without a name.
CREATE PROCEDURE dbo.greetingProc
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @dh uniqueidentifier, @type sysname, @body xml, @name nvarchar(50), @reply xml;

    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;

        -- The type is WELL_FORMED_XML, so whatever gets here can be read as XML.
        WAITFOR (
            RECEIVE TOP (1)
                @dh = conversation_handle,
                @type = message_type_name,
                @body = message_body
            FROM dbo.greetingQueue
        ), TIMEOUT 5000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        IF @type = N'//Greetings/Request'
        BEGIN
            SET @name = @body.value('(/greet/@name)[1]', 'nvarchar(50)');
            IF @name IS NULL
                END CONVERSATION @dh WITH ERROR = 1 DESCRIPTION = N'A greeting needs a name.';
            ELSE
            BEGIN
                SET @reply = (SELECT N'Hello, ' + @name FOR XML PATH('greeting'), TYPE);
                SEND ON CONVERSATION @dh MESSAGE TYPE [//Greetings/Reply] (@reply);
                END CONVERSATION @dh;
            END;
        END
        ELSE
            -- EndDialog or Error from the other side
            END CONVERSATION @dh;

        COMMIT TRANSACTION;
    END;
END;
GO
