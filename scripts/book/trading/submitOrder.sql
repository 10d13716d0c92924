-- dbo.submitOrder: sends one order to the brokerage and remembers it, in one transaction.
-- The message is made from the fields, unless a body is given. The body is text, not xml: that way it may be broken,
-- as a message from a careless program would be.
CREATE PROCEDURE dbo.submitOrder
    @order_number int,
    @account nvarchar(20),
    @symbol nvarchar(20),
    @side nchar(1),
    @quantity int,
    @price decimal(12, 2),
    @body nvarchar(max) = NULL
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @dh uniqueidentifier;

    IF @body IS NULL
        SET @body = (
            SELECT @symbol AS RICCODE, @account AS CustomerID, @order_number AS OrderID, @side AS BuySell,
                   @quantity AS Volume, @price AS Price
            FOR XML PATH('TradeEntry'));

    BEGIN TRANSACTION;

    -- a dialog per order; an hour is plenty for an answer
    BEGIN DIALOG CONVERSATION @dh
        FROM SERVICE enterTrade
        TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
        ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
        WITH LIFETIME = 3600;

    INSERT INTO dbo.orders (order_number, account, symbol, side, quantity, price, handle)
    VALUES (@order_number, @account, @symbol, @side, @quantity, @price, @dh);

    SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (@body);

    COMMIT TRANSACTION;
END;
GO
