-- Serves: DMBrokerage.dbo.tradeEntryQueue (listing 15-18).
-- Needs: table dbo.tradeEntries (conversation_group_id, body).
-- The message loop of the chapter: one transaction per message, the conversation group locked first, the entry
-- recorded, an acknowledgement sent, this side of the conversation ended.
CREATE PROCEDURE dbo.tradeEntryProc
AS
BEGIN
    SET NOCOUNT ON;

    DECLARE @dh uniqueidentifier;
    DECLARE @msg varbinary(max);
    DECLARE @mt sysname;
    DECLARE @ack xml;
    DECLARE @cg uniqueidentifier;

    WHILE (1 = 1)
    BEGIN
        -- 1. start a transaction
        BEGIN TRANSACTION;

        -- 2. lock the group that is next; NULL tells an empty queue from a found group
        SET @cg = NULL;
        WAITFOR (
            GET CONVERSATION GROUP @cg FROM dbo.tradeEntryQueue
        ), TIMEOUT 10000;

        IF @cg IS NULL
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        -- 3. state kept under @cg in the program's own tables would be read here

        -- 4. receive; the group is ours, so this cannot block
        RECEIVE TOP (1)
            @dh = conversation_handle,
            @mt = message_type_name,
            @msg = message_body
        FROM dbo.tradeEntryQueue
        WHERE conversation_group_id = @cg;

        IF @mt = N'//www.develop.com/DMBrokerage/TradeEntry'
        BEGIN
            -- 5. do the work
            INSERT INTO dbo.tradeEntries (conversation_group_id, body) VALUES (@cg, CAST(@msg AS xml));

            -- 6. answer on the conversation that the message came on; the broker knows the way back
            SET @ack = N'<TradeAck><id>1</id><ackid>1</ackid></TradeAck>';
            SEND ON CONVERSATION @dh
                MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (@ack);
        END;

        -- 7. end this side. For EndDialog and Error this is all there is to do: after either of them the peer
        --    takes no more messages.
        END CONVERSATION @dh;

        -- 8. state would be written back here

        -- 9. the row, the answer, the end and the removal of the message become real together
        COMMIT TRANSACTION;
    END;
END;
GO
