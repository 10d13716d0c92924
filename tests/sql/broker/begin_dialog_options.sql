-- BEGIN DIALOG: each option, what it writes into the endpoint, the rights it needs, and what becomes of the first message.
CREATE DATABASE Options;
GO
USE Options;
CREATE MESSAGE TYPE M;
CREATE CONTRACT C (M SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE Other ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C, [DEFAULT]);
CREATE SERVICE Self ON QUEUE Q2 ([DEFAULT]);
GO
-- Without CONVERSATION, without options: initiator in SO, nothing sent, no target; any service on any contract.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
SELECT CASE WHEN conversation_handle = @h THEN 'the handle' END, is_initiator, state, far_service, send_sequence, far_broker_instance
FROM sys.conversation_endpoints;
SELECT (SELECT COUNT(*) FROM Q2) + (SELECT COUNT(*) FROM sys.transmission_queue);
SELECT COUNT(*) FROM sys.service_contract_usages u JOIN sys.services s ON s.service_id = u.service_id WHERE s.name = 'S1';
END CONVERSATION @h;
GO
--! rows
--! the handle | 1 | SO | S2 | 0 | NULL
--! rows
--! 0
--! rows
--! 0
--! spec DIALOG-1 DIALOG-2 DIALOG-6 DIALOG-39 DIALOG-42 CHANGE-1
-- The target is not checked: a name that nobody has, in any spelling.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE '[not a service]/' ON CONTRACT C;
SELECT far_service FROM sys.conversation_endpoints WHERE conversation_handle = @h;
END CONVERSATION @h;
GO
--! rows
--! [not a service]/
--! spec DIALOG-9
-- Syntax: one name for FROM, a string for TO, options once, FROM before TO.
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE dbo.S1 TO SERVICE 'S2';
GO
--! error 102
--! spec DIALOG-4
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE S2;
GO
--! error 102
--! spec DIALOG-8
DECLARE @h uniqueidentifier; BEGIN DIALOG @h TO SERVICE 'S2' FROM SERVICE S1;
GO
--! error 156
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = 1;
GO
--! error 102
--! spec DIALOG-33
-- Options with commas and without, as expressions.
DECLARE @h uniqueidentifier, @first uniqueidentifier, @g varchar(36) = '00000000-0000-0000-0000-0000000000AB';
BEGIN DIALOG @first FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF LIFETIME = 30 + 30 RELATED_CONVERSATION_GROUP = LOWER(@g);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 120, RELATED_CONVERSATION = CAST(@first AS varchar(36)), ENCRYPTION = ON;
SELECT conversation_group_id, DATEDIFF(second, GETUTCDATE(), lifetime) FROM sys.conversation_endpoints ORDER BY lifetime;
SELECT conversation_group_id FROM sys.conversation_groups;
END CONVERSATION @h; END CONVERSATION @first;
GO
--! rows
--! 00000000-0000-0000-0000-0000000000AB | 60
--! 00000000-0000-0000-0000-0000000000AB | 120
--! rows
--! 00000000-0000-0000-0000-0000000000AB
--! spec DIALOG-21 DIALOG-24 DIALOG-27 DIALOG-28 DIALOG-32 DIALOG-40 LIFETIME-1 GROUP-5
-- An existing group is joined; a conversation of another service cannot (9610), by either option.
DECLARE @a uniqueidentifier, @b uniqueidentifier, @c uniqueidentifier, @g uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2';
SELECT @g = conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @a;
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH RELATED_CONVERSATION_GROUP = @g;
SELECT COUNT(*), COUNT(DISTINCT conversation_group_id) FROM sys.conversation_endpoints;
BEGIN DIALOG @c FROM SERVICE Other TO SERVICE 'S2' WITH RELATED_CONVERSATION_GROUP = @g;
BEGIN DIALOG @c FROM SERVICE Other TO SERVICE 'S2' WITH RELATED_CONVERSATION = @a;
END CONVERSATION @a; END CONVERSATION @b;
SELECT COUNT(*) FROM sys.conversation_groups;
GO
--! rows
--! 2 | 1
--! error 9610 text Other
--! error 9610
--! rows
--! 0
--! spec DIALOG-23 DIALOG-37 GROUP-6 GROUP-7
-- CURRENT DATABASE in any letter case, as a literal and from a variable; it is the GUID of the broker.
DECLARE @h uniqueidentifier, @here nvarchar(128) = N'Current Database';
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', 'CURRENT DATABASE' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', 'current database' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', @here WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Nobody', @here WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
SELECT COUNT(*) FROM Q2;
SELECT CASE WHEN to_broker_instance = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Options') THEN 'own GUID' END
FROM sys.transmission_queue;
END CONVERSATION @h WITH CLEANUP;
GO
--! rows
--! 3
--! rows
--! own GUID
--! spec DIALOG-13 DIALOG-14
-- ENCRYPTION is ON without the option; inside one database no key is needed.
DECLARE @h uniqueidentifier;
RECEIVE status FROM Q2; RECEIVE status FROM Q2; RECEIVE status FROM Q2;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
SEND ON CONVERSATION @h (N'on by default');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = ON;
SEND ON CONVERSATION @h (N'on');
SELECT CAST(message_body AS nvarchar(20)) FROM Q2 ORDER BY queuing_order;
GO
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! on by default
--! on
--! spec DIALOG-35
-- From a service to itself: two endpoints, one queue.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Self TO SERVICE 'Self' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'to myself');
SELECT e.is_initiator, e.state, s.name, e.far_service FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id
WHERE s.name = 'Self' ORDER BY e.is_initiator;
RECEIVE service_name FROM Q2 WHERE conversation_group_id = @h;
GO
--! rows
--! 0 | CO | Self | Self
--! 1 | CO | Self | Self
--! error 8436
--! spec DIALOG-54
-- The dialog has its level from the priorities of now, and keeps it.
CREATE BROKER PRIORITY P FOR CONVERSATION SET (CONTRACT_NAME = C, PRIORITY_LEVEL = 7);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
ALTER BROKER PRIORITY P FOR CONVERSATION SET (PRIORITY_LEVEL = 2);
SEND ON CONVERSATION @h MESSAGE TYPE M;
DROP BROKER PRIORITY P;
SELECT is_initiator, priority FROM sys.conversation_endpoints WHERE conversation_id =
    (SELECT conversation_id FROM sys.conversation_endpoints WHERE conversation_handle = @h) ORDER BY is_initiator;
SELECT priority FROM Q2 WHERE message_type_name = 'M';
GO
--! rows
--! 0 | 2
--! 1 | 7
--! rows
--! 2
--! spec DIALOG-41 CHANGE-4 LEVEL-8 LEVEL-9 LEVEL-10
-- Rights: RECEIVE on the queue of the FROM service and REFERENCES on the contract; SEND on neither service.
CREATE USER Ann WITHOUT LOGIN;
GRANT REFERENCES ON CONTRACT::C TO Ann;
EXECUTE AS USER = 'Ann';
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
REVERT;
GO
--! error 229 text RECEIVE
--! spec DIALOG-45
REVERT;
GRANT RECEIVE ON Q1 TO Ann;
REVOKE REFERENCES ON CONTRACT::C FROM Ann;
EXECUTE AS USER = 'Ann';
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
GO
--! error 229 text REFERENCES
--! spec DIALOG-46
REVERT;
GRANT REFERENCES ON CONTRACT::C TO Ann;
DENY SEND ON SERVICE::S1 TO Ann;
DENY SEND ON SERVICE::S2 TO Ann;
EXECUTE AS USER = 'Ann';
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'from Ann');
REVERT;
SELECT CAST(message_body AS nvarchar(20)) FROM Q2 WHERE message_body = CAST(N'from Ann' AS varbinary(20));
GO
--! rows
--! from Ann
--! spec DIALOG-47 SEND-39
