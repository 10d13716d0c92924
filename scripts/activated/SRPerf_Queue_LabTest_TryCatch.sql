-- Serves: SSBReceiver.dbo.MySSBLabTestQueue (the paper's tip on TRY-CATCH).
-- Needs: tables dbo.messageDrop (messageVal) and dbo.messageErrors (number, reason, message_body).
-- Many messages in one transaction, and a bad one must not send the others back: each is written in a TRY of its own,
-- a failure goes to the error table, and the transaction is always committed. So no message becomes a poison message.
CREATE PROCEDURE dbo.SRPerf_Queue_LabTest_TryCatch
AS
BEGIN
    SET NOCOUNT ON;
    SET XACT_ABORT OFF;

    DECLARE @receive TABLE
    (
        message_type sysname,
        message_body varbinary(max),
        dialog uniqueidentifier
    );
    DECLARE @message_type sysname, @message_body varbinary(max), @dh uniqueidentifier;

    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;

        WAITFOR (
            RECEIVE TOP (10000) message_type_name, message_body, conversation_handle
            FROM dbo.MySSBLabTestQueue
            INTO @receive
        ), TIMEOUT 3000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        -- a queue cannot have a cursor on it, the table variable can
        DECLARE message_cursor CURSOR LOCAL STATIC FORWARD_ONLY FOR
            SELECT message_type, message_body, dialog FROM @receive;
        OPEN message_cursor;
        FETCH NEXT FROM message_cursor INTO @message_type, @message_body, @dh;
        WHILE @@FETCH_STATUS = 0
        BEGIN
            BEGIN TRY
                IF @message_type = N'//MySSB.com/Lab/M_Test'
                    INSERT INTO dbo.messageDrop (messageVal) VALUES (CAST(@message_body AS varbinary(2000)));
                ELSE
                    END CONVERSATION @dh;
            END TRY
            BEGIN CATCH
                INSERT INTO dbo.messageErrors (number, reason, message_body)
                VALUES (ERROR_NUMBER(), ERROR_MESSAGE(), @message_body);
            END CATCH;
            FETCH NEXT FROM message_cursor INTO @message_type, @message_body, @dh;
        END;
        CLOSE message_cursor;
        DEALLOCATE message_cursor;

        DELETE FROM @receive;

        COMMIT TRANSACTION;
    END;
END;
GO
