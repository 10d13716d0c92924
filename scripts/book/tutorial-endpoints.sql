-- Conversations tutorial, the query in the section on persistence: look at the conversation endpoints.
-- The text describes what it finds there: a side whose partner has ended (DI) and a side that ran out of time (ER).
-- This script brings both about; the lifetime is two seconds instead of ten minutes.

CREATE DATABASE PublisherDB;
GO
USE PublisherDB;
GO
CREATE MESSAGE TYPE ISBNLookupRequest VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE ISBNLookupResponse VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT ISBNLookupContract
(
    ISBNLookupRequest SENT BY INITIATOR,
    ISBNLookupResponse SENT BY TARGET
);
CREATE QUEUE ISBNLookupRequestQueue;
CREATE QUEUE ISBNLookupResponseQueue;
CREATE SERVICE ISBNLookupRequestService ON QUEUE ISBNLookupRequestQueue (ISBNLookupContract);
CREATE SERVICE ISBNLookupResponseService ON QUEUE ISBNLookupResponseQueue;
CREATE TABLE lookups (title varchar(20) PRIMARY KEY, handle uniqueidentifier);
GO

-- One lookup that will be answered ...
DECLARE @conversationHandle uniqueidentifier;
BEGIN DIALOG CONVERSATION @conversationHandle
    FROM SERVICE [ISBNLookupResponseService]
    TO SERVICE 'ISBNLookupRequestService'
    ON CONTRACT [ISBNLookupContract];
SEND ON CONVERSATION @conversationHandle MESSAGE TYPE ISBNLookupRequest (N'<ISBN>1932577270</ISBN>');
INSERT INTO lookups VALUES ('answered', @conversationHandle);
GO
DECLARE @conversationHandle uniqueidentifier;
RECEIVE TOP (1) @conversationHandle = conversation_handle FROM ISBNLookupRequestQueue;
SEND ON CONVERSATION @conversationHandle MESSAGE TYPE ISBNLookupResponse (N'<title>The Rational Guide</title>');
END CONVERSATION @conversationHandle;
GO
-- ... and one that nobody gets round to.
DECLARE @conversationHandle uniqueidentifier;
BEGIN DIALOG CONVERSATION @conversationHandle
    FROM SERVICE [ISBNLookupResponseService]
    TO SERVICE 'ISBNLookupRequestService'
    ON CONTRACT [ISBNLookupContract]
    WITH LIFETIME = 2;
SEND ON CONVERSATION @conversationHandle MESSAGE TYPE ISBNLookupRequest (N'<ISBN>1932577271</ISBN>');
INSERT INTO lookups VALUES ('too late', @conversationHandle);
GO
WAITFOR DELAY '00:00:04';
GO

-- The query of the tutorial. Both sides live in one database, so a conversation can have two rows here: same
-- conversation_id, different handles.
SELECT * FROM sys.conversation_endpoints;
GO

-- The asking sides: sequence numbers count the messages in each direction.
SELECT l.title, RTRIM(e.state) AS state, e.state_desc, e.send_sequence, e.receive_sequence_frag
FROM sys.conversation_endpoints AS e
JOIN lookups AS l ON l.handle = e.conversation_handle
ORDER BY l.title;
GO
--! rows
--! answered | DI | DISCONNECTED_INBOUND | 1 | 0
--! too late | ER | ERROR | 1 | 0

-- Time runs out on both sides of a conversation, each for itself, and each finds an error message in its queue.
SELECT COUNT(*) AS sides
FROM sys.conversation_endpoints AS e
JOIN sys.conversation_endpoints AS i ON i.conversation_id = e.conversation_id
JOIN lookups AS l ON l.handle = i.conversation_handle
WHERE l.title = 'too late' AND e.state = 'ER';

WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT N'asked' AS queue, CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') AS code
FROM ISBNLookupResponseQueue
WHERE message_type_name = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error'
UNION ALL
SELECT N'was asked', CAST(message_body AS xml).value('(/Error/Code)[1]', 'int')
FROM ISBNLookupRequestQueue
WHERE message_type_name = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error'
ORDER BY queue;
GO
--! rows
--! 2
--! rows
--! asked | -8489
--! was asked | -8489

-- The rows stay until they are ended.
DECLARE @conversationHandle uniqueidentifier;
SELECT @conversationHandle = handle FROM lookups WHERE title = 'answered';
END CONVERSATION @conversationHandle;
SELECT @conversationHandle = handle FROM lookups WHERE title = 'too late';
END CONVERSATION @conversationHandle;
SELECT COUNT(*) AS asking_sides FROM sys.conversation_endpoints WHERE is_initiator = 1;
GO
--! rows
--! 0
