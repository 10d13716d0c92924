-- Serves: DMBrokerage.dbo.tradeEntryQueue (the trading application, book/trading).
-- Needs: tables dbo.instruments (RICCODE) and dbo.trades.
-- Takes one trade entry at a time. A good one is recorded, acknowledged and its conversation ended. One that cannot be
-- taken is answered with an error of the brokerage's own: 101 unknown instrument, 102 order number used before,
-- 199 anything else. In each case the transaction commits, so no entry comes back as a poison message.
CREATE PROCEDURE dbo.tradeEntryProc
AS
BEGIN
    SET NOCOUNT ON;
    -- A violated key must end in the CATCH with the transaction still alive.
    SET XACT_ABORT OFF;

    DECLARE @dh uniqueidentifier, @type sysname, @body varbinary(max), @entry xml, @ack xml;
    DECLARE @order_id int, @customer nvarchar(20), @ric nvarchar(20), @side nchar(1), @volume int,
            @price decimal(12, 2);
    DECLARE @reason nvarchar(3000), @number int;

    WHILE (1 = 1)
    BEGIN
        BEGIN TRANSACTION;

        WAITFOR (
            RECEIVE TOP (1)
                @dh = conversation_handle,
                @type = message_type_name,
                @body = message_body
            FROM dbo.tradeEntryQueue
        ), TIMEOUT 5000;

        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        IF @type = N'//www.develop.com/DMBrokerage/TradeEntry'
        BEGIN
            BEGIN TRY
                SET @entry = CAST(@body AS xml);
                SELECT @order_id = @entry.value('(/TradeEntry/OrderID)[1]', 'int'),
                       @customer = @entry.value('(/TradeEntry/CustomerID)[1]', 'nvarchar(20)'),
                       @ric = @entry.value('(/TradeEntry/RICCODE)[1]', 'nvarchar(20)'),
                       @side = @entry.value('(/TradeEntry/BuySell)[1]', 'nchar(1)'),
                       @volume = @entry.value('(/TradeEntry/Volume)[1]', 'int'),
                       @price = @entry.value('(/TradeEntry/Price)[1]', 'decimal(12, 2)');

                IF NOT EXISTS (SELECT * FROM dbo.instruments WHERE RICCODE = @ric)
                BEGIN
                    SET @reason = N'Unknown instrument ' + ISNULL(@ric, N'(none)') + N'.';
                    END CONVERSATION @dh WITH ERROR = 101 DESCRIPTION = @reason;
                END
                ELSE
                BEGIN
                    INSERT INTO dbo.trades (order_id, customer, RICCODE, side, volume, price)
                    VALUES (@order_id, @customer, @ric, @side, @volume, @price);

                    SET @ack = (
                        SELECT @order_id AS OrderID, CAST(SCOPE_IDENTITY() AS int) AS AckId
                        FOR XML PATH('TradeAck'), TYPE);
                    SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (@ack);
                    END CONVERSATION @dh;
                END;
            END TRY
            BEGIN CATCH
                SET @number = ERROR_NUMBER();
                SET @reason = ERROR_MESSAGE();

                -- Doomed (an unreadable value, say): all that is left is to roll back. The entry is then in the queue
                -- again, and the END below removes it with its conversation.
                IF XACT_STATE() = -1
                BEGIN
                    ROLLBACK TRANSACTION;
                    BEGIN TRANSACTION;
                END;

                IF @number = 2627
                BEGIN
                    SET @reason = N'Order ' + CAST(@order_id AS nvarchar(12)) + N' was entered before.';
                    END CONVERSATION @dh WITH ERROR = 102 DESCRIPTION = @reason;
                END
                ELSE
                    END CONVERSATION @dh WITH ERROR = 199 DESCRIPTION = @reason;
            END CATCH;
        END
        ELSE
            -- EndDialog or Error: the trader has ended, so do we.
            END CONVERSATION @dh;

        COMMIT TRANSACTION;
    END;
END;
GO
