-- Conversations tutorial, listing 2.1: create a dialog.
-- Corrected: 600 seconds are ten minutes (the text says five). The database and the services are those of the ISBN
-- lookup that the tutorial refers to; it does not list them, so queues and message types are our own.

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
GO

DECLARE @conversationHandle uniqueidentifier;

BEGIN DIALOG CONVERSATION @conversationHandle
    FROM SERVICE [ISBNLookupResponseService]
    TO SERVICE 'ISBNLookupRequestService'
    ON CONTRACT [ISBNLookupContract]
    WITH LIFETIME = 600;

-- the handle is the key of the row
SELECT RTRIM(state) AS state, far_service, is_initiator,
       CASE WHEN DATEDIFF(second, GETUTCDATE(), lifetime) BETWEEN 590 AND 600 THEN 'ten minutes' ELSE '?' END AS lives
FROM sys.conversation_endpoints
WHERE conversation_handle = @conversationHandle;

-- Both sides must end a conversation. Nothing was sent, so there is no other side yet, and the row just goes.
END CONVERSATION @conversationHandle;
SELECT COUNT(*) AS endpoints FROM sys.conversation_endpoints;
GO
--! rows
--! SO | ISBNLookupRequestService | 1 | ten minutes
--! rows
--! 0
