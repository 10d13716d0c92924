-- Which statement locks which group, until when: BEGIN DIALOG, END CONVERSATION, MOVE, several handles.
CREATE DATABASE GroupLocks;
GO
USE GroupLocks;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE H (name char(1), h uniqueidentifier, g uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'a');
INSERT INTO H SELECT 'a', conversation_handle, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'b');
INSERT INTO H SELECT 'b', conversation_handle, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
-- BEGIN DIALOG: a group with a known id, made by an open transaction, is waited for.
--! session one IN GroupLocks
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, RELATED_CONVERSATION_GROUP = '00000000-0000-0000-0000-00000000000A';
GO
--! session two IN GroupLocks
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, RELATED_CONVERSATION_GROUP = '00000000-0000-0000-0000-00000000000A';
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_group_id = '00000000-0000-0000-0000-00000000000A';
END CONVERSATION @h;
GO
--! blocked
--! session one
ROLLBACK;
GO
--! session two
--! finishes
--! rows
--! 1
--! spec LOCK-1 DIALOG-48 LOCK-8 LOCK-9
-- … and joining locks the group of the conversation that is there.
--! session one
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier, @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, RELATED_CONVERSATION = @a;
GO
--! session two
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
SEND ON CONVERSATION @a (N'a2');
GO
--! blocked
--! session one
ROLLBACK;
GO
--! session two
--! finishes
--! spec LOCK-1 DIALOG-48
-- END CONVERSATION.
--! session one
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
END CONVERSATION @a;
GO
--! session two
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
SEND ON CONVERSATION @a (N'a3');
GO
--! blocked
--! session one
ROLLBACK;
GO
--! session two
--! finishes
--! spec LOCK-7 END-29 END-34
-- MOVE: source and destination.
--! session one
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a'), @g uniqueidentifier = (SELECT g FROM H WHERE name = 'b');
MOVE CONVERSATION @a TO @g;
GO
--! session two
DECLARE @b uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
SEND ON CONVERSATION @b (N'b2');
GO
--! blocked
--! session three IN GroupLocks
DECLARE @h uniqueidentifier, @g uniqueidentifier = (SELECT g FROM H WHERE name = 'a');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, RELATED_CONVERSATION_GROUP = @g;
END CONVERSATION @h;
GO
--! blocked
--! session one
ROLLBACK;
GO
--! session two
--! finishes
--! session three
--! finishes
--! spec LOCK-6 MOVE-4 MOVE-10
-- SEND on several handles locks the group of each; the lock is gone with the statement when there is no transaction.
--! session one
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a'), @b uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
SEND ON CONVERSATION (@a, @b) (N'both');
GO
--! session two
DECLARE @a uniqueidentifier = (SELECT h FROM H WHERE name = 'a');
BEGIN CONVERSATION TIMER (@a) TIMEOUT = 100000;
GO
--! blocked
--! session three
DECLARE @b uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
BEGIN CONVERSATION TIMER (@b) TIMEOUT = 100000;
GO
--! blocked
--! session one
COMMIT;
GO
--! session two
--! finishes
--! session three
--! finishes
--! spec LOCK-3 SEND-37
DECLARE @b uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
SEND ON CONVERSATION @b (N'b3');
GO
--! session two
DECLARE @b uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
SEND ON CONVERSATION @b (N'b4');
GO
--! spec LOCK-8
-- After a MOVE, messages that arrive belong to the new group.
--! session main
USE GroupLocks;
DECLARE @a uniqueidentifier, @b uniqueidentifier, @ga uniqueidentifier, @h uniqueidentifier = (SELECT h FROM H WHERE name = 'b');
SELECT @a = t.conversation_handle, @ga = t.conversation_group_id FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t ON t.conversation_id = i.conversation_id
    AND t.is_initiator = 0 JOIN H ON H.h = i.conversation_handle AND H.name = 'a';
SELECT @b = t.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t ON t.conversation_id = i.conversation_id
    AND t.is_initiator = 0 JOIN H ON H.h = i.conversation_handle AND H.name = 'b';
MOVE CONVERSATION @b TO @ga;
SEND ON CONVERSATION @h (N'after');
SELECT CASE WHEN conversation_group_id = @ga THEN 'the new group' END FROM Q2 WHERE message_body = CAST(N'after' AS varbinary(20));
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_handle = @b;
GO
--! rows
--! the new group
--! rows
--! b
--! b2
--! both
--! b3
--! b4
--! after
--! spec MOVE-14 MOVE-2
-- Internal dialogs have is_system = 1.
CREATE QUEUE Notes; CREATE SERVICE Noted ON QUEUE Notes ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification]);
CREATE EVENT NOTIFICATION Watch ON QUEUE Q1 FOR QUEUE_ACTIVATION TO SERVICE 'Noted', 'current database';
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0);
SEND ON CONVERSATION @t (N'for Q1');
GO
--! settle
SELECT DISTINCT e.is_initiator, e.is_system FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id
WHERE s.name = 'Noted' OR e.far_service = 'Noted' ORDER BY e.is_initiator;
SELECT DISTINCT e.is_system FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE s.name = 'S1';
GO
--! rows
--! 0 | 1
--! 1 | 1
--! rows
--! 0
--! spec CHANGE-30
