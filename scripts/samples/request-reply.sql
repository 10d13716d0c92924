-- Request and reply, with a procedure that the broker starts when a request comes in.

CREATE DATABASE Greetings;
GO
USE Greetings;
GO

-- The contract says who may say what: requests from the initiator, replies from the target.
CREATE MESSAGE TYPE [//Greetings/Request] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//Greetings/Reply] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//Greetings/Contract]
(
    [//Greetings/Request] SENT BY INITIATOR,
    [//Greetings/Reply] SENT BY TARGET
);
GO
:r ../activated/greetingProc.sql

-- Two copies of the procedure at most, run as the owner of the queue.
CREATE QUEUE greetingQueue
    WITH ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.greetingProc,
        MAX_QUEUE_READERS = 2,
        EXECUTE AS OWNER);
CREATE SERVICE [//Greetings/Service] ON QUEUE greetingQueue ([//Greetings/Contract]);
CREATE QUEUE visitorQueue;
CREATE SERVICE [//Greetings/Visitor] ON QUEUE visitorQueue;
GO

-- Send a request and wait for the reply to it: the handle singles out this conversation.
DECLARE @dh uniqueidentifier, @reply xml;
BEGIN DIALOG @dh
    FROM SERVICE [//Greetings/Visitor]
    TO SERVICE '//Greetings/Service'
    ON CONTRACT [//Greetings/Contract];
SEND ON CONVERSATION @dh MESSAGE TYPE [//Greetings/Request] (N'<greet name="Ann"/>');

WAITFOR (
    RECEIVE TOP (1) @reply = CAST(message_body AS xml)
    FROM visitorQueue
    WHERE conversation_handle = @dh
), TIMEOUT 10000;
SELECT @reply AS reply;

-- The service has ended its side. End ours; its EndDialog message goes with the conversation.
END CONVERSATION @dh;
GO
--! rows
--! <greeting>Hello, Ann</greeting>

-- A request that the service refuses: the reply is an Error message with the service's own number.
DECLARE @dh uniqueidentifier, @type sysname, @body xml;
BEGIN DIALOG @dh
    FROM SERVICE [//Greetings/Visitor]
    TO SERVICE '//Greetings/Service'
    ON CONTRACT [//Greetings/Contract];
SEND ON CONVERSATION @dh MESSAGE TYPE [//Greetings/Request] (N'<greet/>');

WAITFOR (
    RECEIVE TOP (1) @type = message_type_name, @body = CAST(message_body AS xml)
    FROM visitorQueue
    WHERE conversation_handle = @dh
), TIMEOUT 10000;

WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT @type AS message_type,
       @body.value('(/Error/Code)[1]', 'int') AS code,
       @body.value('(/Error/Description)[1]', 'nvarchar(200)') AS description;
END CONVERSATION @dh;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | 1 | A greeting needs a name.

-- Nothing is left open.
SELECT COUNT(*) AS open_endpoints FROM sys.conversation_endpoints WHERE state <> 'CD';
SELECT COUNT(*) AS messages FROM visitorQueue;
GO
--! rows
--! 0
--! rows
--! 0
