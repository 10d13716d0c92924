-- The broker: each order is confirmed by an activated procedure; after ten of a dialog it is over.
USE Trading;
CREATE TABLE dbo.Trades (number int PRIMARY KEY, conversation_handle uniqueidentifier NOT NULL);
GO
CREATE PROCEDURE dbo.ConfirmOrders AS
BEGIN
    DECLARE @handle uniqueidentifier, @type nvarchar(256), @body xml, @number int;
    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        WAITFOR (RECEIVE TOP (1) @handle = conversation_handle, @type = message_type_name, @body = message_body FROM dbo.Desk), TIMEOUT 1000;
        IF @@ROWCOUNT = 0 BEGIN ROLLBACK; RETURN; END;
        IF @type = N'//Trading/Order'
        BEGIN
            SET @number = @body.value('(/Order/@number)[1]', 'int');
            INSERT dbo.Trades (number, conversation_handle) VALUES (@number, @handle);
            SET @body = (SELECT number FROM dbo.Trades AS Confirmation WHERE number = @number FOR XML AUTO);
            SEND ON CONVERSATION @handle MESSAGE TYPE [//Trading/Confirmation] (@body);
            IF (SELECT COUNT(*) FROM dbo.Trades WHERE conversation_handle = @handle) = 10 END CONVERSATION @handle;
        END
        ELSE
            END CONVERSATION @handle;
        COMMIT;
    END;
END;
GO
ALTER QUEUE dbo.Desk WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.ConfirmOrders, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
GO
