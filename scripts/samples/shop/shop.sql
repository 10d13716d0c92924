-- A shop whose orders are cancelled when nobody pays within an hour: a dialog with the payment service, and its timer.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE Orders (id int PRIMARY KEY, dialog uniqueidentifier NOT NULL, status nvarchar(20) NOT NULL);
CREATE QUEUE ShopQueue;
CREATE SERVICE ShopService ON QUEUE ShopQueue;
CREATE QUEUE PaymentQueue;
CREATE SERVICE PaymentService ON QUEUE PaymentQueue ([DEFAULT]);
GO
CREATE PROCEDURE PlaceOrder @id int, @dialog uniqueidentifier OUTPUT AS
BEGIN
    BEGIN DIALOG @dialog FROM SERVICE ShopService TO SERVICE 'PaymentService' WITH ENCRYPTION = OFF;
    INSERT Orders VALUES (@id, @dialog, N'waiting');
    BEGIN CONVERSATION TIMER (@dialog) TIMEOUT = 3600;
    SEND ON CONVERSATION @dialog (CAST(@id AS varbinary(4)));
END;
GO
CREATE PROCEDURE OnShopMessage AS
BEGIN
    DECLARE @dialog uniqueidentifier, @type sysname;
    WHILE 1 = 1
    BEGIN
        SET @dialog = NULL;
        RECEIVE TOP (1) @dialog = conversation_handle, @type = message_type_name FROM ShopQueue;
        IF @dialog IS NULL BREAK;
        UPDATE Orders SET status = IIF(@type LIKE N'%/DialogTimer', N'cancelled', N'paid') WHERE dialog = @dialog;
        END CONVERSATION @dialog;
    END;
END;
GO
ALTER QUEUE ShopQueue WITH ACTIVATION
    (STATUS = ON, PROCEDURE_NAME = OnShopMessage, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
