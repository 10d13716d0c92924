-- Serves: Poison.dbo.numberQueue (samples/poison-message.sql, the right way).
-- Needs: tables dbo.numbers (value) and dbo.badMessages (reason, message_body).
-- Undoes the work on a bad message, but not its RECEIVE: a savepoint lies between them. The message is put aside, the
-- sender is told, and the transaction commits.
CREATE PROCEDURE dbo.carefulProc
AS
BEGIN
    SET NOCOUNT ON;
    SET XACT_ABORT OFF;
    DECLARE @dh uniqueidentifier, @type sysname, @body varbinary(max), @value int, @reason nvarchar(3000);

    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        WAITFOR (
            RECEIVE TOP (1)
                @dh = conversation_handle,
                @type = message_type_name,
                @body = message_body
            FROM dbo.numberQueue
        ), TIMEOUT 1000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            RETURN;
        END;

        IF @type <> N'DEFAULT'
            END CONVERSATION @dh;
        ELSE
        BEGIN
            SAVE TRANSACTION beforeWork;
            BEGIN TRY
                -- Look before casting: a failed CAST would doom the whole transaction.
                SET @value = TRY_CAST(CAST(@body AS nvarchar(20)) AS int);
                INSERT INTO dbo.numbers (value) VALUES (0);
                IF @value IS NULL
                    RAISERROR (N'This is no number.', 16, 1);
                UPDATE dbo.numbers SET value = @value WHERE value = 0;
            END TRY
            BEGIN CATCH
                SET @reason = ERROR_MESSAGE();
                ROLLBACK TRANSACTION beforeWork;
                INSERT INTO dbo.badMessages (reason, message_body) VALUES (@reason, @body);
                END CONVERSATION @dh WITH ERROR = 100 DESCRIPTION = @reason;
            END CATCH;
        END;

        COMMIT TRANSACTION;
    END;
END;
GO
