-- Conversation groups are exclusive; RECEIVE skips locked ones, RECEIVE WHERE waits.
CREATE DATABASE Groups;
GO
USE Groups;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'a1');
SEND ON CONVERSATION @a (N'a2');
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @b (N'b1');
GO
--! session one IN Groups
BEGIN TRANSACTION;
RECEIVE TOP (1) conversation_group_id, CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! {group} | a1
--! spec LOCK-4
--! session two IN Groups
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! b1
-- Only the locked group has messages left: nothing for the second session.
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
DECLARE @g uniqueidentifier = (SELECT TOP (1) conversation_group_id FROM Q2);
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_group_id = @g;
GO
--! blocked
--! spec LOCK-14 LOCK-9
--! session one
-- The lock does not stop messages from arriving in the locked group.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints
    WHERE is_initiator = 1 AND conversation_id = (SELECT conversation_id FROM sys.conversation_endpoints
        WHERE conversation_group_id = (SELECT TOP (1) conversation_group_id FROM Q2)));
SEND ON CONVERSATION @h (N'a3');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
COMMIT;
GO
--! rows
--! a2
--! a3
--! spec LOCK-11 LOCK-12 LOCK-15
--! session two
--! finishes
--! rows
