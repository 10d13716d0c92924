-- Serves: Desk.dbo.answerQueue (the trade pipeline, scripts/pipeline).
-- Needs: table dbo.settlements.
-- Settles what the brokerage has answered, all answers of a conversation group at a time. The key of the table holds each entry to
-- one answer: a second one would fail here, loudly. When the brokerage ends a conversation, so does this side.
CREATE PROCEDURE dbo.settleProc
AS
BEGIN
    SET NOCOUNT ON;

    DECLARE @answers TABLE (handle uniqueidentifier, type sysname, body xml);
    DECLARE @ended uniqueidentifier;

    WHILE (1 = 1)
    BEGIN
        BEGIN TRANSACTION;

        WAITFOR (
            RECEIVE conversation_handle, message_type_name, message_body
            FROM dbo.answerQueue
            INTO @answers
        ), TIMEOUT 2000;

        IF NOT EXISTS (SELECT * FROM @answers)
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        INSERT INTO dbo.settlements (handle, number, order_id, symbol, side, volume, price)
        SELECT handle,
               body.value('(/TradeAck/@number)[1]', 'bigint'),
               body.value('(/TradeAck/OrderID)[1]', 'int'),
               body.value('(/TradeAck/RICCODE)[1]', 'nvarchar(20)'),
               body.value('(/TradeAck/BuySell)[1]', 'nchar(1)'),
               body.value('(/TradeAck/Volume)[1]', 'int'),
               body.value('(/TradeAck/Price)[1]', 'decimal(12, 2)')
        FROM @answers
        WHERE type = N'//trades/Ack';

        INSERT INTO dbo.settlements (handle, number, code, reason)
        SELECT handle,
               body.value('(/TradeRefusal/@number)[1]', 'bigint'),
               body.value('(/TradeRefusal/@code)[1]', 'int'),
               body.value('(/TradeRefusal)[1]', 'nvarchar(400)')
        FROM @answers
        WHERE type = N'//trades/Refusal';

        SET @ended = NULL;
        SELECT @ended = handle
        FROM @answers
        WHERE type IN (N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog',
                       N'http://schemas.microsoft.com/SQL/ServiceBroker/Error');
        IF @ended IS NOT NULL
            END CONVERSATION @ended;

        DELETE FROM @answers;
        COMMIT TRANSACTION;
    END;
END;
GO
