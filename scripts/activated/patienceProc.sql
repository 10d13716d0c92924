-- Serves: Patience.dbo.askQueue (samples/conversation-timer.sql).
-- Needs: table dbo.questions (handle, ticks, outcome).
-- Belongs to the side that asked and waits for an answer with a timer running. Each time the timer comes, it is set
-- again, twice; the third time the question is given up.
CREATE PROCEDURE dbo.patienceProc
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @dh uniqueidentifier, @type sysname, @body varbinary(max), @ticks int;

    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        WAITFOR (
            RECEIVE TOP (1)
                @dh = conversation_handle,
                @type = message_type_name,
                @body = message_body
            FROM dbo.askQueue
        ), TIMEOUT 1000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
        BEGIN
            UPDATE dbo.questions SET ticks = ticks + 1 WHERE handle = @dh;
            SELECT @ticks = ticks FROM dbo.questions WHERE handle = @dh;
            IF @ticks < 3
                BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 5;
            ELSE
            BEGIN
                UPDATE dbo.questions SET outcome = N'given up' WHERE handle = @dh;
                END CONVERSATION @dh WITH ERROR = 7 DESCRIPTION = N'No answer in time.';
            END;
        END
        ELSE IF @type = N'DEFAULT'
            UPDATE dbo.questions SET outcome = CAST(@body AS nvarchar(50)) WHERE handle = @dh;
        ELSE
            -- EndDialog or Error. Ending stops the timer as well.
            END CONVERSATION @dh;

        COMMIT TRANSACTION;
    END;
END;
GO
