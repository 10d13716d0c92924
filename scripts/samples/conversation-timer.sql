-- A conversation timer: ask, and do not wait for ever.

CREATE DATABASE Patience;
GO
USE Patience;
GO
CREATE TABLE dbo.questions
(
    handle uniqueidentifier PRIMARY KEY,
    question nvarchar(50) NOT NULL,
    ticks int NOT NULL DEFAULT 0,
    outcome nvarchar(50) NULL
);
GO
:r ../activated/patienceProc.sql

CREATE QUEUE askQueue
    WITH ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.patienceProc,
        MAX_QUEUE_READERS = 1,
        EXECUTE AS OWNER);
CREATE SERVICE asker ON QUEUE askQueue;
-- Nobody is activated here: answers are given by hand below.
CREATE QUEUE answerQueue;
CREATE SERVICE oracle ON QUEUE answerQueue ([DEFAULT]);
GO

-- Two questions, each with a timer of five seconds. The timer's message goes to the asker's own queue and starts the
-- procedure there like any other message; the oracle hears nothing of it.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE asker TO SERVICE 'oracle';
SEND ON CONVERSATION @dh (N'easy');
BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 5;
INSERT INTO dbo.questions (handle, question) VALUES (@dh, N'easy');

BEGIN DIALOG @dh FROM SERVICE asker TO SERVICE 'oracle';
SEND ON CONVERSATION @dh (N'hard');
BEGIN CONVERSATION TIMER (@dh) TIMEOUT = 5;
INSERT INTO dbo.questions (handle, question) VALUES (@dh, N'hard');
GO

-- After seven seconds each timer has come once, and been set again.
WAITFOR DELAY '00:00:07';
SELECT question, ticks, outcome FROM dbo.questions ORDER BY question;
GO
--! rows
--! easy | 1 | NULL
--! hard | 1 | NULL

-- The easy question gets its answer.
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM answerQueue WHERE CAST(message_body AS nvarchar(50)) = N'easy';
RECEIVE TOP (1) message_type_name FROM answerQueue WHERE conversation_handle = @dh;
SEND ON CONVERSATION @dh (N'forty-two');
END CONVERSATION @dh;
GO

-- The hard one is given up at the third tick, after fifteen seconds in all. With the end of a conversation its timer
-- goes too: the easy one ticked no more.
WAITFOR DELAY '00:00:15';
SELECT question, ticks, outcome FROM dbo.questions ORDER BY question;
GO
--! rows
--! easy | 1 | forty-two
--! hard | 3 | given up

-- The oracle finds its unanswered question, and that it need not bother any more.
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') AS code,
       CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(100)') AS description
FROM answerQueue
WHERE message_type_name = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error';
GO
--! rows
--! 7 | No answer in time.

DECLARE @dh uniqueidentifier;
SELECT TOP (1) @dh = conversation_handle FROM answerQueue;
END CONVERSATION @dh;
SELECT COUNT(*) AS messages FROM answerQueue;
SELECT COUNT(*) AS open_endpoints FROM sys.conversation_endpoints WHERE state <> 'CD';
GO
--! rows
--! 0
--! rows
--! 0
