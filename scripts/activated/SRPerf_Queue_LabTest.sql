-- Serves: SSBReceiver.dbo.MySSBLabTestQueue (scalability paper).
-- Needs: tables dbo.messageDrop (messageVal) and dbo.messageCount (received, messages).
-- Takes up to 10,000 messages at a time into a table variable and writes them away in one statement; a row in
-- messageCount tells how many each RECEIVE brought.
CREATE PROCEDURE dbo.SRPerf_Queue_LabTest
AS
BEGIN
    SET NOCOUNT ON;

    DECLARE @receive TABLE
    (
        message_type sysname,
        message_body varbinary(max),
        dialog uniqueidentifier
    );
    DECLARE @dh uniqueidentifier;

    WHILE 1 = 1
    BEGIN
        -- receive, work and write in one transaction: nothing gets lost in between
        BEGIN TRANSACTION;

        -- One conversation group at a time, whatever the 10000 says. Staying three seconds without work spares
        -- the five that it may take until the next start.
        WAITFOR (
            RECEIVE TOP (10000)
                message_type_name,
                message_body,
                conversation_handle
            FROM dbo.MySSBLabTestQueue
            INTO @receive
        ), TIMEOUT 3000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        INSERT INTO dbo.messageDrop (messageVal)
        SELECT CAST(message_body AS varbinary(2000))
        FROM @receive
        WHERE message_type = N'//MySSB.com/Lab/M_Test';

        INSERT INTO dbo.messageCount (received, messages)
        SELECT GETUTCDATE(), COUNT(*)
        FROM @receive;

        -- The paper's dialogs live for ever. Should the sender end one, this side has to end it as well.
        SET @dh = NULL;
        SELECT @dh = dialog
        FROM @receive
        WHERE message_type IN (N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog',
                               N'http://schemas.microsoft.com/SQL/ServiceBroker/Error');
        IF @dh IS NOT NULL
            END CONVERSATION @dh;

        DELETE FROM @receive;

        COMMIT TRANSACTION;
    END;
END;
GO
