-- Serves: Trader1.dbo.tradeAckQueue (the trading application, book/trading).
-- Needs: table dbo.orders (handle, ack_id, refusal_code, refusal_reason, status, ended_at).
-- Hears the brokerage's answers: an acknowledgement is noted; an EndDialog ends this side too; an Error, be it the
-- brokerage's (positive code) or the broker's (negative code), is noted as a refusal and ends this side.
CREATE PROCEDURE dbo.tradeAckProc
AS
BEGIN
    SET NOCOUNT ON;

    DECLARE @dh uniqueidentifier, @type sysname, @body xml, @code int, @reason nvarchar(3000);

    WHILE (1 = 1)
    BEGIN
        BEGIN TRANSACTION;

        -- Both types with a body are XML (TradeAck by its validation), so the body can go straight into the variable.
        WAITFOR (
            RECEIVE TOP (1)
                @dh = conversation_handle,
                @type = message_type_name,
                @body = message_body
            FROM dbo.tradeAckQueue
        ), TIMEOUT 5000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        IF @type = N'//www.develop.com/DMBrokerage/TradeAck'
            UPDATE dbo.orders
            SET status = N'acknowledged', ack_id = @body.value('(/TradeAck/AckId)[1]', 'int')
            WHERE handle = @dh;
        ELSE IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog'
        BEGIN
            END CONVERSATION @dh;
            UPDATE dbo.orders SET ended_at = GETUTCDATE() WHERE handle = @dh;
        END
        ELSE IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error'
        BEGIN
            SELECT @code = NULL, @reason = NULL;
            WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
            SELECT @code = @body.value('(/Error/Code)[1]', 'int'),
                   @reason = @body.value('(/Error/Description)[1]', 'nvarchar(3000)');
            END CONVERSATION @dh;
            UPDATE dbo.orders
            SET status = N'refused', refusal_code = @code, refusal_reason = @reason, ended_at = GETUTCDATE()
            WHERE handle = @dh;
        END;

        COMMIT TRANSACTION;
    END;
END;
GO
