-- The trader: orders go out, ten in a dialog; confirmations are noted by an activated procedure.
USE Trading;
CREATE TABLE dbo.Orders (number int PRIMARY KEY, symbol varchar(10) NOT NULL, confirmed_at datetime NULL);
GO
CREATE PROCEDURE dbo.SubmitOrders @dialogs int, @orders int AS
BEGIN
    DECLARE @dialog int = 0, @order int, @handle uniqueidentifier, @body xml;
    WHILE @dialog < @dialogs
    BEGIN
        BEGIN TRANSACTION;
        BEGIN DIALOG @handle FROM SERVICE [//Trading/Trader] TO SERVICE '//Trading/DMBroker' ON CONTRACT [//Trading/Orders] WITH LIFETIME = 3600;
        SET @order = 0;
        WHILE @order < @orders
        BEGIN
            INSERT dbo.Orders (number, symbol) VALUES (@dialog * @orders + @order, 'GAZP');
            SET @body = (SELECT number, symbol FROM dbo.Orders AS [Order] WHERE number = @dialog * @orders + @order FOR XML AUTO);
            SEND ON CONVERSATION @handle MESSAGE TYPE [//Trading/Order] (@body);
            SET @order += 1;
        END;
        COMMIT;
        SET @dialog += 1;
    END;
END;
GO
CREATE PROCEDURE dbo.NoteConfirmations AS
BEGIN
    DECLARE @handle uniqueidentifier, @type nvarchar(256), @body xml;
    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        WAITFOR (RECEIVE TOP (1) @handle = conversation_handle, @type = message_type_name, @body = message_body FROM dbo.Desk), TIMEOUT 1000;
        IF @@ROWCOUNT = 0 BEGIN ROLLBACK; RETURN; END;
        IF @type = N'//Trading/Confirmation'
            UPDATE dbo.Orders SET confirmed_at = GETUTCDATE() WHERE number = @body.value('(/Confirmation/@number)[1]', 'int');
        ELSE
            END CONVERSATION @handle;
        COMMIT;
    END;
END;
GO
ALTER QUEUE dbo.Desk WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.NoteConfirmations, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
GO
