-- A saga with a state table keyed by conversation_group_id, related dialogs, GET CONVERSATION GROUP, savepoints, retry with an error
-- table, and doomed transactions (XACT_STATE).
CREATE DATABASE Travel;
GO
USE Travel;
GO
SET NOCOUNT ON;
CREATE MESSAGE TYPE TripMsg VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE PartMsg VALIDATION = NONE;
CREATE CONTRACT TripContract (TripMsg SENT BY ANY);
CREATE CONTRACT PartContract (PartMsg SENT BY ANY);
CREATE QUEUE ClientQ; CREATE QUEUE TripQ; CREATE QUEUE HotelQ; CREATE QUEUE FlightQ;
CREATE SERVICE ClientS ON QUEUE ClientQ (TripContract);
CREATE SERVICE TripS ON QUEUE TripQ (TripContract, PartContract);
CREATE SERVICE HotelS ON QUEUE HotelQ (PartContract);
CREATE SERVICE FlightS ON QUEUE FlightQ (PartContract);
CREATE TABLE TripState (
    conversation_group_id uniqueidentifier NOT NULL PRIMARY KEY,
    client uniqueidentifier NULL,
    hotel nvarchar(20) NULL, flight nvarchar(20) NULL,
    State varchar(10) NOT NULL DEFAULT 'new', Updated datetime2 NOT NULL DEFAULT SYSUTCDATETIME());
CREATE TABLE ErrorLog (
    Id int IDENTITY PRIMARY KEY, Number int, Severity int, State int, Line int, Proc_ nvarchar(128), Message nvarchar(4000));
GO
CREATE PROCEDURE LogError AS
    INSERT ErrorLog (Number, Severity, State, Line, Proc_, Message)
    VALUES (ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_LINE(), ERROR_PROCEDURE(), ERROR_MESSAGE());
GO
CREATE PROCEDURE sp_part @queue sysname, @answer nvarchar(20) OUTPUT, @handled int = 0 OUT
AS
BEGIN
    DECLARE @sql nvarchar(max), @h uniqueidentifier, @got nvarchar(20);
    SET @sql = N'RECEIVE TOP (1) @h = conversation_handle, @b = message_body FROM ' + QUOTENAME(@queue);
    EXEC sp_executesql @sql, N'@h uniqueidentifier OUTPUT, @b nvarchar(20) OUTPUT', @h = @h OUTPUT, @b = @got OUTPUT;
    IF @h IS NULL RETURN 1;
    SELECT @answer = @answer + ':' + @got, @handled += 1;
    SEND ON CONVERSATION @h MESSAGE TYPE PartMsg (@answer);
    END CONVERSATION @h;
    RETURN 0;
END
GO
CREATE PROCEDURE TripWorker AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @g uniqueidentifier, @h uniqueidentifier, @type sysname, @body varbinary(max), @service nvarchar(512);
    DECLARE @dialog uniqueidentifier, @order xml, @client uniqueidentifier;
    WHILE 1 = 1
    BEGIN
        SET @g = NULL;
        BEGIN TRANSACTION Trip;
        WAITFOR (GET CONVERSATION GROUP @g FROM TripQ), TIMEOUT 500;
        IF @g IS NULL BEGIN COMMIT TRANSACTION Trip; RETURN; END
        IF NOT EXISTS (SELECT 1 FROM TripState WHERE conversation_group_id = @g)
            INSERT TripState (conversation_group_id) VALUES (@g);
        WHILE 1 = 1
        BEGIN
            RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name, @body = message_body, @service = service_name
            FROM TripQ WHERE conversation_group_id = @g;
            IF @@ROWCOUNT = 0 BREAK;
            IF @type = N'TripMsg'
            BEGIN
                UPDATE TripState SET client = @h, State = 'asked' WHERE conversation_group_id = @g;
                SET @order = CAST(@body AS xml);
                BEGIN DIALOG @dialog FROM SERVICE TripS TO SERVICE 'HotelS' ON CONTRACT PartContract
                    WITH RELATED_CONVERSATION = @h, ENCRYPTION = OFF;
                SEND ON CONVERSATION @dialog MESSAGE TYPE PartMsg (@order.value('(/trip/@hotel)[1]', 'nvarchar(20)'));
                BEGIN DIALOG @dialog FROM SERVICE TripS TO SERVICE 'FlightS' ON CONTRACT PartContract
                    WITH RELATED_CONVERSATION_GROUP = @g, ENCRYPTION = OFF;
                SEND ON CONVERSATION @dialog MESSAGE TYPE PartMsg (@order.value('(/trip/@flight)[1]', 'nvarchar(20)'));
            END
            ELSE IF @type = N'PartMsg'
            BEGIN
                DECLARE @part nvarchar(20) = CAST(@body AS nvarchar(20));
                UPDATE TripState
                SET hotel = CASE WHEN @part LIKE N'hotel%' THEN @part ELSE hotel END,
                    flight = CASE WHEN LEFT(@part, 6) = N'flight' THEN @part ELSE flight END
                WHERE conversation_group_id = @g;
            END
            ELSE IF @type IN (N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog', N'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
                END CONVERSATION @h;
        END
        SET @client = NULL;
        SELECT @client = client, @order = (SELECT hotel AS [@hotel], flight AS [@flight] FOR XML PATH('done'), TYPE)
        FROM TripState WHERE conversation_group_id = @g AND hotel IS NOT NULL AND flight IS NOT NULL AND State = 'asked';
        IF @client IS NOT NULL
        BEGIN
            SEND ON CONVERSATION @client MESSAGE TYPE TripMsg (@order);
            END CONVERSATION @client;
            UPDATE TripState SET State = 'done' OUTPUT deleted.State, inserted.State WHERE conversation_group_id = @g;
        END
        COMMIT TRANSACTION Trip;
    END
END
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE ClientS TO SERVICE 'TripS' ON CONTRACT TripContract WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE TripMsg (N'<trip hotel="Ritz" flight="LH1"/>');
EXEC TripWorker;
DECLARE @answer nvarchar(20) = N'hotel', @rc int, @count int = 0;
EXEC @rc = sp_part 'HotelQ', @answer OUTPUT, @count OUTPUT;
SELECT @rc, @answer, @count;
SET @answer = 'flight';
EXECUTE @rc = Travel.dbo.sp_part @queue = N'FlightQ', @handled = @count OUTPUT, @answer = @answer OUTPUT;
SELECT @rc AS rc, @answer AS answer, @count AS n;
EXEC @rc = sp_part @queue = 'FlightQ', @answer = @answer OUTPUT;
PRINT N'last return ' + STR(@rc, 1);
GO
--! rows
--! 0 | hotel:Ritz | 1
--! rows
--! columns rc | answer | n
--! 0 | flight:LH1 | 2
--! print last return 1
SELECT COUNT(*) AS groups, COUNT(DISTINCT conversation_group_id) FROM sys.conversation_endpoints WHERE is_initiator = 1 AND far_service <> 'TripS';
EXEC TripWorker;
SELECT s.hotel, s.State FROM TripState AS s;
SELECT message_type_name, CAST(message_body AS xml).value('(/done/@hotel)[1]', 'varchar(20)') FROM ClientQ ORDER BY queuing_order;
GO
--! rows
--! 2 | 1
--! rows
--! asked | done
--! rows
--! hotel:Ritz | done
--! rows
--! TripMsg | hotel:Ritz
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
-- Retries: a savepoint keeps the receive; a doomed transaction cannot, so it is rolled back and counted.
CREATE TABLE Job (Id int PRIMARY KEY, Tries int NOT NULL DEFAULT (0), Done bit NOT NULL DEFAULT 0, CHECK (Tries <= 3));
INSERT Job (Id) VALUES (1), (2);
GO
CREATE PROCEDURE DoJob @id int, @doom bit = 0 AS
BEGIN
    SET XACT_ABORT OFF;
    IF @doom = 1 SET XACT_ABORT ON;
    DECLARE @tries int = 0;
again:
    SET @tries += 1;
    BEGIN TRY
        BEGIN TRAN;
        SAVE TRANSACTION before_job;
        UPDATE Job SET Tries = @tries WHERE Id = @id;
        IF @tries < 3 INSERT Job (Id) VALUES (@id);
        UPDATE Job SET Done = 1 WHERE Id = @id;
        COMMIT;
    END TRY
    BEGIN CATCH
        DECLARE @state smallint = XACT_STATE();
        IF @state = -1 ROLLBACK;
        IF @state = 1
        BEGIN
            ROLLBACK TRANSACTION before_job;
            COMMIT TRANSACTION;
        END
        EXEC LogError;
        PRINT CONCAT('try ', @tries, ' state ', @state);
        IF @tries < 5 GOTO again;
        THROW;
    END CATCH
END
GO
EXEC DoJob 1;
EXEC DoJob @doom = 1, @id = 2;
GO
--! print try 1 state 1
--! print try 2 state 1
--! print try 1 state -1
--! print try 2 state -1
SELECT Id, Tries, Done FROM Job ORDER BY Id;
SELECT Number, Severity, State, Line, Proc_, COUNT(*) FROM ErrorLog GROUP BY Number, Severity, State, Line, Proc_;
GO
--! rows
--! 1 | 3 | 1
--! 2 | 3 | 1
--! rows
--! 2627 | 14 | 1 | 12 | DoJob | 4
-- A conversion error dooms the transaction under XACT_ABORT only; THROW and RAISERROR keep their numbers.
BEGIN TRY
    BEGIN TRANSACTION;
    DECLARE @n int = CAST('x' AS int);
END TRY
BEGIN CATCH
    SELECT XACT_STATE() AS state, ERROR_NUMBER() AS n, @@TRANCOUNT AS t, ERROR_PROCEDURE() AS p, ERROR_LINE() AS l;
    ROLLBACK;
END CATCH
BEGIN TRY
    THROW 50001, N'own error', 7;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_MESSAGE();
END CATCH;
BEGIN TRY
    RAISERROR ('%s has %d of %i (%5.2s|%-4d|%05d|%x)', 11, 2, N'box', 3, 4, 'abcdef', 7, 42, 255);
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_MESSAGE();
END CATCH;
RAISERROR ('progress %d%%', 0, 1, 50) WITH NOWAIT;
RAISERROR ('for the log', 10, 1) WITH LOG, NOWAIT;
GO
--! rows
--! -1 | 245 | 1 | NULL | 4
--! rows
--! 50001 | 16 | 7 | own error
--! rows
--! 50000 | 11 | 2 | box has 3 of 4 (   ab\|7   \|00042\|ff)
--! print progress 50%
--! print for the log
--! log 50000 for the log
