-- BEGIN DIALOG with every option.
CREATE DATABASE Begins;
GO
USE Begins;
CREATE MESSAGE TYPE M;
CREATE CONTRACT C (M SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE Other ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C, [DEFAULT]);
GO
-- The defaults: contract DEFAULT, no instance, lifetime 2147483647 s, priority 5. Nothing is sent, the target does not exist yet.
DECLARE @h uniqueidentifier;
BEGIN DIALOG CONVERSATION @h FROM SERVICE S1 TO SERVICE 'S2';
SELECT e.is_initiator, c.name, s.name, e.far_service, e.far_broker_instance, e.state, e.state_desc, e.send_sequence, e.receive_sequence,
    e.is_system, e.priority, e.dialog_timer, e.end_dialog_sequence, DATEDIFF(year, GETUTCDATE(), e.lifetime)
FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id
JOIN sys.service_contracts c ON c.service_contract_id = e.service_contract_id;
SELECT s.name, CASE WHEN g.conversation_group_id = e.conversation_group_id THEN 'same' END, g.is_system
FROM sys.conversation_groups g JOIN sys.services s ON s.service_id = g.service_id
JOIN sys.conversation_endpoints e ON e.conversation_handle = @h;
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.conversation_groups;
GO
--! rows
--! 1 | DEFAULT | S1 | S2 | NULL | SO | STARTED_OUTBOUND | 0 | 0 | 0 | 5 | 1900-01-01 00:00:00.000 | -1 | 68
--! rows
--! S1 | same | 0
--! rows
--! 0
--! spec DIALOG-1 DIALOG-19 DIALOG-29 DIALOG-39 TIMER-11 SEQUENCE-5 GROUP-1 GROUP-3 CHANGE-23
-- Names from variables, the instance as a GUID and as CURRENT DATABASE.
DECLARE @h uniqueidentifier, @from sysname = N'S1', @to nvarchar(256) = N'S2', @on sysname = N'C', @guid nvarchar(128), @type sysname = N'M';
SELECT @guid = CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Begins';
BEGIN DIALOG @h FROM SERVICE @from TO SERVICE @to, @guid ON CONTRACT @on WITH LIFETIME = 3600, ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE @type (N'by guid');
BEGIN DIALOG @h FROM SERVICE [S1] TO SERVICE N'S2', 'CURRENT DATABASE' ON CONTRACT [C] WITH ENCRYPTION = OFF, LIFETIME = 60;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'current');
SELECT CAST(message_body AS nvarchar(20)), service_contract_name, message_type_name FROM Q2 ORDER BY queuing_order;
SELECT CASE WHEN far_broker_instance = @guid THEN 'ours' END FROM sys.conversation_endpoints;
GO
--! rows
--! by guid | C | M
--! current | C | M
--! rows
--! ours
--! ours
--! ours
--! ours
--! spec DIALOG-3 DIALOG-11 DIALOG-18 DIALOG-13 SEND-3
-- A broker that is not here: the message waits.
DECLARE @h uniqueidentifier, @long nvarchar(300) = REPLICATE(N'x', 200);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', 'AAAAAAAA-0000-0000-0000-00000000000A' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'nowhere');
SELECT to_service_name, to_broker_instance FROM sys.transmission_queue;
END CONVERSATION @h WITH CLEANUP;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', @long ON CONTRACT C;
GO
--! rows
--! S2 | AAAAAAAA-0000-0000-0000-00000000000A
--! error 8413
--! spec DIALOG-16 DIALOG-12
-- RELATED_CONVERSATION joins its group; RELATED_CONVERSATION_GROUP with an unknown id makes a group of that id.
DECLARE @a uniqueidentifier, @b uniqueidentifier, @c uniqueidentifier, @d uniqueidentifier;
DECLARE @g uniqueidentifier = '11111111-2222-3333-4444-555555555555';
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION_GROUP = @g, ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION_GROUP = @g;
BEGIN DIALOG @c FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION = @a, LIFETIME = 100;
BEGIN DIALOG @d FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_group_id = @g;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = @g;
BEGIN DIALOG @d FROM SERVICE Other TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION = @a;
BEGIN DIALOG @d FROM SERVICE Other TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION_GROUP = @g;
END CONVERSATION @a; END CONVERSATION @b;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = @g;
END CONVERSATION @c;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = @g;
GO
--! rows
--! 3
--! rows
--! 1
--! error 9610
--! error 9610
--! rows
--! 1
--! rows
--! 0
--! spec DIALOG-21 DIALOG-23 DIALOG-24 DIALOG-37 GROUP-6 GROUP-7
-- NULL and wrong arguments.
DECLARE @h uniqueidentifier, @null nvarchar(100), @nullint int;
BEGIN DIALOG @h FROM SERVICE @null TO SERVICE 'S2' ON CONTRACT C;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE @null ON CONTRACT C;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT @null;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH LIFETIME = @nullint;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH LIFETIME = -1;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION = @h;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH RELATED_CONVERSATION_GROUP = @h;
GO
--! error 8421
--! error 8421
--! error 8417
--! error 8406
--! error 8411
--! error 8418
--! error 8420
--! spec COMMON-7 COMMON-8 DIALOG-31 DIALOG-52
-- Options exclude each other and appear once (parser).
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 1, LIFETIME = 2;
GO
--! error 102
--! spec DIALOG-26
DECLARE @h uniqueidentifier, @x uniqueidentifier = NEWID();
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH RELATED_CONVERSATION = @x, RELATED_CONVERSATION_GROUP = @x;
GO
--! error 102
--! spec DIALOG-25
DECLARE @h int;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
GO
--! error 8402
-- Rolled back: the variable keeps its value, the endpoint is gone.
DECLARE @h uniqueidentifier;
BEGIN TRANSACTION;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'never');
ROLLBACK;
SELECT CASE WHEN @h IS NULL THEN 'lost' ELSE 'kept' END;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'gone');
GO
--! rows
--! kept
--! error 8426
--! spec DIALOG-49
-- None of the broker statements is valid in a function (2.0).
CREATE FUNCTION Talks() RETURNS int AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
    RETURN 1;
END;
GO
--! error 443
-- master has no route and no active broker for dialogs in a database whose broker was never there: a disabled one still works.
ALTER DATABASE Begins SET DISABLE_BROKER;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'waits');
SELECT COUNT(*) FROM sys.transmission_queue WHERE conversation_handle = @h;
ALTER DATABASE Begins SET ENABLE_BROKER;
GO
--! rows
--! 1
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT CAST(message_body AS nvarchar(20)) FROM Q2 WHERE message_body = CAST(N'waits' AS varbinary(100));
GO
--! rows
--! 0
--! rows
--! waits
