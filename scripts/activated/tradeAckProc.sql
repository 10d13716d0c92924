-- Serves: Trader1.dbo.tradeAckQueue (listing 15-19).
-- Needs: table dbo.tradeAcks (conversation_group_id, body).
-- The initiator's counterpart of tradeEntryProc: records acknowledgements and ends the conversation when the
-- brokerage has ended it.
CREATE PROCEDURE dbo.tradeAckProc
AS
BEGIN
    SET NOCOUNT ON;

    DECLARE @dh uniqueidentifier;
    DECLARE @msg varbinary(max);
    DECLARE @mt sysname;
    DECLARE @cg uniqueidentifier;

    WHILE (1 = 1)
    BEGIN
        BEGIN TRANSACTION;

        SET @cg = NULL;
        WAITFOR (
            GET CONVERSATION GROUP @cg FROM dbo.tradeAckQueue
        ), TIMEOUT 10000;

        IF @cg IS NULL
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        RECEIVE TOP (1)
            @dh = conversation_handle,
            @msg = message_body,
            @mt = message_type_name
        FROM dbo.tradeAckQueue
        WHERE conversation_group_id = @cg;

        IF @mt = N'//www.develop.com/DMBrokerage/TradeAck'
            INSERT INTO dbo.tradeAcks (conversation_group_id, body) VALUES (@cg, CAST(@msg AS xml));
        ELSE
            -- EndDialog or Error. Ending already at the TradeAck would throw the EndDialog away unread, which is
            -- harmless, but would also throw away an Error that came in its place.
            END CONVERSATION @dh;

        COMMIT TRANSACTION;
    END;
END;
GO
