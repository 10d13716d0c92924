-- Request and response with retries: the initiator sets a timer, tries again when it fires, gives up after three tries; the response
-- may come in time, late, or never. State is in a table by conversation.
CREATE DATABASE Retries;
GO
USE Retries;
GO
CREATE MESSAGE TYPE [retry/request] VALIDATION = WELL_FORMED_XML; CREATE MESSAGE TYPE [retry/response] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [retry/contract] ([retry/request] SENT BY INITIATOR, [retry/response] SENT BY TARGET);
CREATE QUEUE ClientQ; CREATE QUEUE ServerQ;
CREATE SERVICE [retry/client] ON QUEUE ClientQ;
CREATE SERVICE [retry/server] ON QUEUE ServerQ ([retry/contract]);
CREATE TABLE Requests (Handle uniqueidentifier PRIMARY KEY, Name varchar(20), Tries tinyint NOT NULL DEFAULT 1, State varchar(10) NOT NULL DEFAULT 'waiting', Answer varchar(20), Log_ varchar(100) NOT NULL DEFAULT '');
GO
CREATE PROCEDURE Ask @name varchar(20) AS
    DECLARE @h uniqueidentifier, @x xml = (SELECT @name AS name FOR XML PATH('request'), TYPE);
    BEGIN TRAN;
    BEGIN DIALOG CONVERSATION @h FROM SERVICE [retry/client] TO SERVICE 'retry/server' ON CONTRACT [retry/contract] WITH ENCRYPTION = OFF;
    INSERT Requests (Handle, Name) VALUES (@h, @name);
    BEGIN CONVERSATION TIMER (@h) TIMEOUT = 30;
    SEND ON CONVERSATION @h MESSAGE TYPE [retry/request] (@x);
    COMMIT;
GO
CREATE PROCEDURE OnClient AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @h uniqueidentifier, @t sysname, @x xml, @tries int, @name varchar(20);
    WHILE 1 = 1
    BEGIN
        BEGIN TRAN;
        SELECT @h = NULL;
        WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @t = message_type_name, @x = message_body FROM ClientQ), TIMEOUT 200;
        IF @h IS NULL BEGIN COMMIT; RETURN; END
        IF @t = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
        BEGIN
            UPDATE Requests SET Tries += 1, Log_ += 'timer ', @tries = Tries, @name = Name WHERE Handle = @h AND State = 'waiting';
            IF @tries < 3
            BEGIN
                BEGIN CONVERSATION TIMER (@h) TIMEOUT = 30;
                SET @x = (SELECT @name AS name, @tries + 1 AS try FOR XML PATH('request'));
                SEND ON CONVERSATION @h MESSAGE TYPE [retry/request] (@x);
            END
            ELSE
            BEGIN
                UPDATE Requests SET State = 'given up' WHERE Handle = @h;
                END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'no answer';
            END
        END
        ELSE IF @t = N'retry/response'
            UPDATE Requests SET State = 'answered', Answer = @x.value('(/response)[1]', 'varchar(20)'), Log_ += 'response ' WHERE Handle = @h;
        ELSE IF @t LIKE N'%/EndDialog'
        BEGIN
            UPDATE Requests SET Log_ += 'end' WHERE Handle = @h;
            END CONVERSATION @h;
        END
        COMMIT;
    END
END
GO
ALTER QUEUE ClientQ WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = OnClient, MAX_QUEUE_READERS = 1, EXECUTE AS SELF);
GO
EXEC Ask 'prompt'; EXEC Ask 'late'; EXEC Ask 'never';
GO
CREATE PROCEDURE Answer @name varchar(20) AS
    DECLARE @h uniqueidentifier, @out xml;
    SELECT @h = conversation_handle FROM ServerQ WHERE message_type_name = 'retry/request' AND CAST(message_body AS xml).value('(/request/name)[1]', 'varchar(20)') = @name;
    SET @out = N'<response>to ' + @name + N'</response>';
    SEND ON CONVERSATION @h MESSAGE TYPE [retry/response] (@out);
    END CONVERSATION @h;
GO
EXEC Answer 'prompt';
GO
--! settle
SELECT Name, Tries, State, Answer, Log_ FROM Requests ORDER BY Name;
GO
--! rows
--! late | 1 | waiting | NULL | 
--! never | 1 | waiting | NULL | 
--! prompt | 1 | answered | to prompt | response end
--! advance 40s
EXEC Answer 'late';
GO
--! advance 60s
SELECT Name, Tries, State, Answer, Log_ FROM Requests ORDER BY Name;
SELECT message_type_name, COUNT(*) AS n, MAX(CAST(message_body AS xml).value('(//*:Code)[1]', 'int')) AS code FROM ServerQ GROUP BY message_type_name ORDER BY 1 DESC;
GO
--! rows
--! late | 2 | answered | to late | timer response end
--! never | 4 | given up | NULL | timer timer timer 
--! prompt | 1 | answered | to prompt | response end
--! rows
--! retry/request | 3 | NULL
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | 1 | 1
