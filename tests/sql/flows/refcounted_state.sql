-- A state table with a reference count: several dialogs of one group work on one row, the last that ends removes it. Set based RECEIVE
-- into a table variable, a cursor over it, one transaction for each group.
CREATE DATABASE Counted;
GO
USE Counted;
GO
CREATE MESSAGE TYPE Ask VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE Answer VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT AskContract (Ask SENT BY INITIATOR, Answer SENT BY TARGET);
CREATE QUEUE AskerQueue;
CREATE QUEUE PriceQueue; CREATE QUEUE StockQueue;
CREATE SERVICE Asker ON QUEUE AskerQueue (AskContract);
CREATE SERVICE Price ON QUEUE PriceQueue (AskContract);
CREATE SERVICE Stock ON QUEUE StockQueue (AskContract);
CREATE TABLE dbo.State (GroupId uniqueidentifier NOT NULL PRIMARY KEY, Refs int NOT NULL, Price money NULL, Stock int NULL, Item nvarchar(20));
CREATE TABLE dbo.Finished (Item nvarchar(20), Price money, Stock int);
GO
CREATE PROCEDURE StartAsking @item nvarchar(20) AS
BEGIN
    SET NOCOUNT ON;
    SET XACT_ABORT ON;
    DECLARE @price uniqueidentifier, @stock uniqueidentifier, @group uniqueidentifier, @body xml;
    SET @body = (SELECT @item AS [@item] FOR XML PATH('ask'), TYPE);
    BEGIN TRAN;
    BEGIN DIALOG @price FROM SERVICE Asker TO SERVICE 'Price' ON CONTRACT AskContract WITH ENCRYPTION = OFF;
    SELECT @group = conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @price;
    BEGIN DIALOG @stock FROM SERVICE Asker TO SERVICE 'Stock' ON CONTRACT AskContract WITH RELATED_CONVERSATION = @price, ENCRYPTION = OFF;
    INSERT dbo.State (GroupId, Refs, Item) VALUES (@group, 2, @item);
    SEND ON CONVERSATION (@price, @stock) MESSAGE TYPE Ask (@body);
    COMMIT;
END;
GO
CREATE PROCEDURE AnswerPrice AS
BEGIN
    DECLARE @h uniqueidentifier, @item nvarchar(20), @t sysname, @out xml, @b xml;
    WHILE 1 = 1
    BEGIN
        SET @h = NULL;
        BEGIN TRAN;
        WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @t = message_type_name, @b = message_body FROM PriceQueue), TIMEOUT 500;
        IF @h IS NULL BEGIN COMMIT; BREAK; END;
        IF @t = N'Ask'
        BEGIN
            SET @item = @b.value('(/ask/@item)[1]', 'nvarchar(20)');
            SET @out = CONCAT('<price>', LEN(@item) * 1.25, '</price>');
            SEND ON CONVERSATION @h MESSAGE TYPE Answer (@out);
        END;
        END CONVERSATION @h;
        COMMIT;
    END;
END;
GO
CREATE PROCEDURE AnswerStock AS
BEGIN
    DECLARE @h uniqueidentifier, @t sysname;
    RECEIVE TOP (1) @h = conversation_handle, @t = message_type_name FROM StockQueue;
    IF @t = N'Ask' BEGIN
        SEND ON CONVERSATION @h MESSAGE TYPE Answer (N'<stock>' + CAST(40 + 2 AS nvarchar(10)) + N'</stock>');
    END
    IF @h IS NOT NULL END CONVERSATION @h;
END;
GO
CREATE PROCEDURE CollectAnswers AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @messages TABLE (RowNo int IDENTITY(1,1), Handle uniqueidentifier, MessageType sysname, Body xml);
    DECLARE @group uniqueidentifier, @handle uniqueidentifier, @type sysname, @body xml;
    WHILE (1 = 1)
    BEGIN
        DELETE @messages;
        SET @group = NULL;
        BEGIN TRANSACTION;
        WAITFOR (GET CONVERSATION GROUP @group FROM AskerQueue), TIMEOUT 1000;
        IF @group IS NULL BEGIN ROLLBACK TRANSACTION; RETURN; END
        RECEIVE conversation_handle, message_type_name, CAST(message_body AS xml) FROM AskerQueue INTO @messages WHERE conversation_group_id = @group;
        DECLARE answers CURSOR LOCAL FAST_FORWARD FOR SELECT Handle, MessageType, Body FROM @messages ORDER BY RowNo;
        OPEN answers;
        FETCH NEXT FROM answers INTO @handle, @type, @body;
        WHILE @@FETCH_STATUS = 0
        BEGIN
            IF @type = N'Answer'
                UPDATE dbo.State
                SET Price = COALESCE(@body.value('(/price)[1]', 'money'), Price), Stock = ISNULL(@body.value('(/stock)[1]', 'int'), Stock)
                WHERE GroupId = @group;
            ELSE
            BEGIN
                END CONVERSATION @handle;
                UPDATE dbo.State SET Refs -= 1 WHERE GroupId = @group;
            END
            FETCH NEXT FROM answers INTO @handle, @type, @body;
        END
        CLOSE answers; DEALLOCATE answers;
        DELETE dbo.State OUTPUT deleted.Item, deleted.Price, deleted.Stock INTO dbo.Finished (Item, Price, Stock) WHERE GroupId = @group AND Refs = 0;
        COMMIT TRANSACTION;
    END
END;
GO
ALTER QUEUE PriceQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = AnswerPrice, MAX_QUEUE_READERS = 2, EXECUTE AS SELF);
ALTER QUEUE StockQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.AnswerStock, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
ALTER QUEUE AskerQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Counted.dbo.CollectAnswers, MAX_QUEUE_READERS = 3, EXECUTE AS 'dbo');
GO
EXEC StartAsking N'nail'; EXEC StartAsking N'hammer'; EXEC StartAsking @item = 'saw';
GO
--! advance 5s
SELECT Item, Price, Stock FROM dbo.Finished ORDER BY Item;
SELECT COUNT(*) FROM dbo.State; SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1;
SELECT COUNT(*) FROM sys.conversation_groups g JOIN sys.services s ON s.service_id = g.service_id WHERE s.name = 'Asker';
GO
--! rows
--! hammer | 7.5000 | 42
--! nail | 5.0000 | 42
--! saw | 3.7500 | 42
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
