-- A message of a running dialog that had to wait in the transmission queue starts the activated procedure when it arrives.
CREATE DATABASE d;
GO
--! session main in d
CREATE TABLE seen (body varchar(20));
CREATE QUEUE source;
CREATE SERVICE [//source] ON QUEUE source;
GO
CREATE QUEUE target;
CREATE SERVICE [//target] ON QUEUE target ([DEFAULT]);
GO
CREATE PROCEDURE take AS
BEGIN
    DECLARE @body varbinary(max);
    WHILE 1 = 1
    BEGIN
        SET @body = NULL;
        WAITFOR (RECEIVE TOP (1) @body = message_body FROM target), TIMEOUT 100;
        IF @body IS NULL RETURN;
        INSERT seen VALUES (CAST(@body AS varchar(20)));
    END;
END;
GO
ALTER QUEUE target WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = take, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
CREATE TABLE dialog (handle uniqueidentifier);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//source] TO SERVICE '//target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (CAST('first' AS varbinary(20)));
INSERT dialog VALUES (@h);
GO
--! advance 1s
SELECT body FROM seen;
GO
--! rows
--! first
ALTER QUEUE target WITH STATUS = OFF;
GO
DECLARE @h uniqueidentifier = (SELECT handle FROM dialog);
SEND ON CONVERSATION @h (CAST('second' AS varbinary(20)));
GO
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 1
ALTER QUEUE target WITH STATUS = ON;
GO
--! advance 1s
SELECT body FROM seen;
GO
--! rows
--! first
--! second
--! spec ACTIVATION-12
