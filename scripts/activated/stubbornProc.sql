-- Serves: Poison.dbo.numberQueue (samples/poison-message.sql, the wrong way).
-- Needs: table dbo.numbers (value).
-- Rolls back whatever it cannot process, so that the same message comes again, and again: a poison message. After five
-- rollbacks in a row the broker switches the queue off.
CREATE PROCEDURE dbo.stubbornProc
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @dh uniqueidentifier, @type sysname, @body varbinary(max);

    WHILE 1 = 1
    BEGIN
        BEGIN TRY
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

            IF @type = N'DEFAULT'
                INSERT INTO dbo.numbers (value) VALUES (CAST(CAST(@body AS nvarchar(20)) AS int));
            ELSE
                END CONVERSATION @dh;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- A failed conversion leaves nothing but a rollback.
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            -- 9617: the queue has been switched off. Going on would be an endless loop of errors.
            IF ERROR_NUMBER() = 9617
                RETURN;
        END CATCH;
    END;
END;
GO
