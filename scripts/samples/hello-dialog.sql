-- Hello, dialog: the shortest way from an empty instance to a message and its answer, in five minutes.

CREATE DATABASE Hello;
GO
USE Hello;
GO

-- 1. A place for messages on each side, and a name for each side. Services talk to services; a queue is only where a
--    service's messages wait. Bob accepts conversations on the built-in contract DEFAULT; Alice only begins them.
CREATE QUEUE aliceQueue;
CREATE QUEUE bobQueue;
CREATE SERVICE alice ON QUEUE aliceQueue;
CREATE SERVICE bob ON QUEUE bobQueue ([DEFAULT]);
GO

-- 2. Alice begins a dialog and says something. Bob's name is a string, since he might live anywhere.
DECLARE @dialog uniqueidentifier;
BEGIN DIALOG @dialog
    FROM SERVICE alice
    TO SERVICE 'bob', 'CURRENT DATABASE'
    WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @dialog (N'Hello, Bob');
GO

-- 3. The message is in Bob's queue. Looking does not take it out.
SELECT CAST(message_body AS nvarchar(50)) AS said FROM bobQueue;
GO
--! rows
--! columns said
--! Hello, Bob

-- 4. Bob takes it, answers on the same dialog and is done with it. (RECEIVE and SEND want a semicolon at the end of the
--    statement before them.)
DECLARE @dialog uniqueidentifier, @said nvarchar(50);
RECEIVE TOP (1)
    @dialog = conversation_handle,
    @said = CAST(message_body AS nvarchar(50))
FROM bobQueue;
SEND ON CONVERSATION @dialog (@said + N'? Hello, Alice');
END CONVERSATION @dialog;
SELECT COUNT(*) AS left_over FROM bobQueue;
GO
--! rows
--! 0

-- 5. Alice finds the answer, and after it the news that Bob has ended.
SELECT message_type_name, CAST(message_body AS nvarchar(50)) AS said
FROM aliceQueue
ORDER BY message_sequence_number;
GO
--! rows
--! DEFAULT | Hello, Bob? Hello, Alice
--! http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL

-- 6. She takes both and ends her side too. Always do: a dialog that one side leaves open stays for ever.
DECLARE @dialog uniqueidentifier, @said nvarchar(50);
RECEIVE TOP (1) @dialog = conversation_handle, @said = CAST(message_body AS nvarchar(50)) FROM aliceQueue;
SELECT @said AS said;
RECEIVE TOP (1) @dialog = conversation_handle FROM aliceQueue;
END CONVERSATION @dialog;
GO
--! rows
--! Hello, Bob? Hello, Alice

-- 7. What remains is Bob's row in state "closed": the broker keeps it half an hour and clears it away by itself.
SELECT is_initiator, state_desc FROM sys.conversation_endpoints;
GO
--! rows
--! 0 | CLOSED
