-- The world of the simulation, made once in each of the two databases: a queue that clients read (desk), one that
-- activated procedures read (work), and the books in which every transaction writes what it has done with its messages.
-- A body is `dialog:side:number`; the side is I or T, that of the sender. Of monologs it is `monolog:M:number`.

CREATE TABLE sides (handle uniqueidentifier PRIMARY KEY, dialog int, side char(1));
CREATE TABLE sent (id int IDENTITY PRIMARY KEY, dialog int, side char(1), number bigint);
CREATE TABLE received (id int IDENTITY PRIMARY KEY, handle uniqueidentifier, kind sysname, body varchar(100));
CREATE TABLE ended (handle uniqueidentifier, how varchar(20)); -- how: end, error, cleanup; after_error for END when an error had come
CREATE TABLE monologs (handle uniqueidentifier PRIMARY KEY, monolog int, publisher varchar(50), retains bit, how varchar(20)); -- how it has ended
CREATE TABLE spoken (id int IDENTITY PRIMARY KEY, monolog int, number bigint);
CREATE TABLE orders (handle uniqueidentifier PRIMARY KEY, subscriber varchar(50), publisher varchar(50), retained bit, has_ended bit);
CREATE QUEUE desk;
CREATE QUEUE work;
CREATE SERVICE [//$(db)/desk] ON QUEUE desk ([DEFAULT]);
CREATE SERVICE [//$(db)/work] ON QUEUE work ([DEFAULT]);
GO
-- Sends once on a handle of this side and writes it down.
CREATE PROCEDURE say @handle uniqueidentifier, @number bigint AS
BEGIN
    SET XACT_ABORT ON;
    DECLARE @dialog int, @side char(1);
    SELECT @dialog = dialog, @side = side FROM sides WHERE handle = @handle;
    DECLARE @body varchar(100) = CONCAT(@dialog, ':', @side, ':', @number);
    SEND ON CONVERSATION @handle (@body);
    INSERT sent (dialog, side, number) VALUES (@dialog, @side, @number);
END;
GO
-- Publishes once on a monolog that has not ended.
CREATE PROCEDURE tell @monolog int, @number bigint AS
BEGIN
    SET XACT_ABORT ON;
    DECLARE @handle uniqueidentifier = (SELECT handle FROM monologs WHERE monolog = @monolog AND how IS NULL);
    IF @handle IS NULL RETURN;
    DECLARE @body varchar(100) = CONCAT(@monolog, ':M:', @number);
    SEND ON CONVERSATION @handle (@body);
    INSERT spoken (monolog, number) VALUES (@monolog, @number);
END;
GO
CREATE PROCEDURE finish @handle uniqueidentifier, @how varchar(20) AS
BEGIN
    SET XACT_ABORT ON;
    IF @how = 'end' AND EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = @handle AND state = 'ER')
        SET @how = 'after_error';
    IF @how = 'error'
        END CONVERSATION @handle WITH ERROR = 7 DESCRIPTION = 'refused';
    ELSE IF @how = 'cleanup'
        END CONVERSATION @handle WITH CLEANUP;
    ELSE
        END CONVERSATION @handle;
    INSERT ended VALUES (@handle, @how);
END;
GO
-- What a reader does with the messages it took: write them down, learn new handles, answer, end what the peer has ended.
CREATE TYPE mail AS TABLE (handle uniqueidentifier, sequence bigint, kind sysname, body varchar(100));
GO
CREATE PROCEDURE handle_mail @mail mail READONLY, @answers int AS
BEGIN
    SET XACT_ABORT ON;
    INSERT sides SELECT DISTINCT m.handle, CAST(LEFT(m.body, CHARINDEX(':', m.body) - 1) AS int),
            CASE WHEN m.body LIKE '%:I:%' THEN 'T' ELSE 'I' END
        FROM @mail m WHERE m.kind = 'DEFAULT' AND m.body NOT LIKE '%:M:%' AND NOT EXISTS (SELECT * FROM sides s WHERE s.handle = m.handle);
    INSERT received (handle, kind, body) SELECT handle, kind, body FROM @mail ORDER BY handle, sequence;
    DECLARE @handle uniqueidentifier, @kind sysname, @body varchar(100), @number bigint;
    DECLARE mails CURSOR LOCAL FAST_FORWARD FOR SELECT handle, kind, body FROM @mail ORDER BY handle, sequence;
    OPEN mails;
    FETCH NEXT FROM mails INTO @handle, @kind, @body;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        IF @kind = 'DEFAULT' AND @answers > 0 AND @body LIKE '%:I:%'
        BEGIN
            SET @answers -= 1;
            SET @number = ABS(CAST(CHECKSUM(NEWID()) AS bigint));
            IF EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = @handle AND state IN ('CO', 'SO'))
                EXEC say @handle, @number;
        END;
        ELSE IF (@kind LIKE '%/EndDialog' OR @kind LIKE '%/Error') AND NOT EXISTS (SELECT * FROM ended WHERE handle = @handle)
            AND NOT EXISTS (SELECT * FROM monologs WHERE handle = @handle) -- it goes on without that subscriber
            EXEC finish @handle, 'end';
        FETCH NEXT FROM mails INTO @handle, @kind, @body;
    END;
END;
GO
-- The activated procedure as it should be: one transaction a batch of messages, until nothing comes for half a second.
CREATE PROCEDURE reader AS
BEGIN
    SET XACT_ABORT ON;
    DECLARE @mail mail, @pause varchar(20);
    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        DELETE @mail;
        WAITFOR (RECEIVE TOP (3) conversation_handle, message_sequence_number, message_type_name, CAST(message_body AS varchar(100))
            FROM work INTO @mail), TIMEOUT 500;
        IF NOT EXISTS (SELECT * FROM @mail)
        BEGIN
            COMMIT;
            BREAK;
        END;
        SET @pause = '00:00:00.' + RIGHT('00' + CAST(ABS(CHECKSUM(NEWID()) % 90) AS varchar(3)), 3);
        WAITFOR DELAY @pause;
        EXEC handle_mail @mail, 1;
        COMMIT;
    END;
END;
GO
-- Its bad brothers.
CREATE PROCEDURE careless AS        -- holds its transaction when it ends: 8415
BEGIN
    SET XACT_ABORT ON;
    DECLARE @mail mail;
    BEGIN TRANSACTION;
    RECEIVE TOP (1) conversation_handle, message_sequence_number, message_type_name, CAST(message_body AS varchar(100)) FROM work INTO @mail;
    EXEC handle_mail @mail, 1;
    WAITFOR DELAY '00:00:00.500';   -- without poison message handling it would go on for ever in one moment
END;
GO
CREATE PROCEDURE blind AS           -- never RECEIVEs: 28087
    SELECT 1;
GO
CREATE PROCEDURE restless AS        -- rolls back what it receives: poison
BEGIN
    SET XACT_ABORT ON;
    DECLARE @mail mail;
    BEGIN TRANSACTION;
    RECEIVE TOP (1) conversation_handle, message_sequence_number, message_type_name, CAST(message_body AS varchar(100)) FROM work INTO @mail;
    WAITFOR DELAY '00:00:00.500';
    EXEC handle_mail @mail, 0;
    ROLLBACK;
END;
GO
CREATE PROCEDURE broken AS          -- fails in the middle of its transaction
BEGIN
    SET XACT_ABORT ON;
    DECLARE @mail mail;
    BEGIN TRANSACTION;
    RECEIVE TOP (2) conversation_handle, message_sequence_number, message_type_name, CAST(message_body AS varchar(100)) FROM work INTO @mail;
    EXEC handle_mail @mail, 1;
    WAITFOR DELAY '00:00:00.500';
    SELECT * FROM no_such_table;
    COMMIT;
END;
GO
CREATE PROCEDURE endless AS         -- goes on without end until its queue goes off or it is stopped
BEGIN
    SET XACT_ABORT ON;
    DECLARE @mail mail;
    WHILE 1 = 1
    BEGIN
        DELETE @mail;
        BEGIN TRANSACTION;
        WAITFOR (RECEIVE TOP (1) conversation_handle, message_sequence_number, message_type_name, CAST(message_body AS varchar(100))
            FROM work INTO @mail), TIMEOUT 2000;
        EXEC handle_mail @mail, 0;
        COMMIT;
    END;
END;
GO
ALTER QUEUE work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
GO
