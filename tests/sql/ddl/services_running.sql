-- Services and their conversations: what ALTER and DROP leave, and who may.
CREATE DATABASE Running;
GO
USE Running;
CREATE MESSAGE TYPE M;
CREATE CONTRACT C (M SENT BY ANY);
CREATE CONTRACT Unlisted (M SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3;
CREATE SERVICE Starter ON QUEUE Q1;
CREATE SERVICE Target ON QUEUE Q2 (C, Unlisted);
CREATE SERVICE NoContracts ON QUEUE Q2;
GO
-- Any contract for who begins; a service without contracts takes nothing.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Target' ON CONTRACT Unlisted WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'unlisted');
SELECT CAST(message_body AS nvarchar(10)), service_name FROM Q2;
RECEIVE message_type_id FROM Q2;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'NoContracts' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'refused');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1 WHERE conversation_handle = @h;
END CONVERSATION @h;
GO
--! rows
--! unlisted | Target
--! rows
--! *
--! rows
--! -8408
--! spec SERVICE-3 SERVICE-4 SERVICE-5
-- Names, queues, owners.
CREATE SERVICE target ON QUEUE Q3 (C);
SELECT COUNT(*) FROM sys.services WHERE name IN ('Target', 'target');
DROP SERVICE target;
CREATE QUEUE tempdb.dbo.Far;
GO
--! rows
--! 2
--! spec SERVICE-12
CREATE SERVICE Misplaced ON QUEUE tempdb.dbo.Far;
GO
--! error 9609
--! spec SERVICE-7
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE '' ON CONTRACT C;
GO
--! error 8412
--! spec SERVICE-13
CREATE USER plain WITHOUT LOGIN; CREATE USER boss WITHOUT LOGIN; CREATE USER maker WITHOUT LOGIN;
GRANT CREATE SERVICE TO maker; GRANT REFERENCES ON CONTRACT::C TO maker; GRANT REFERENCES ON OBJECT::Q1 TO maker;
EXECUTE AS USER = 'plain';
CREATE SERVICE Mine ON QUEUE Q1;
GO
--! error 262
--! spec SERVICE-14
REVERT;
EXECUTE AS USER = 'maker';
CREATE SERVICE Made ON QUEUE Q1 (C);
REVERT;
CREATE SERVICE Given AUTHORIZATION boss ON QUEUE Q1;
SELECT name, USER_NAME(principal_id) FROM sys.services WHERE name IN ('Made', 'Given', 'Target') ORDER BY name;
DROP SERVICE Made; DROP SERVICE Given;
GO
--! rows
--! Given | boss
--! Made | maker
--! Target | dbo
--! spec SERVICE-2
-- ALTER SERVICE … DROP CONTRACT: what runs goes on in both directions.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'before');
ALTER SERVICE Target (DROP CONTRACT C);
SEND ON CONVERSATION @h MESSAGE TYPE M (N'after');
SELECT @t = conversation_handle FROM Q2;
SEND ON CONVERSATION @t MESSAGE TYPE M (N'reply');
SELECT CAST(message_body AS nvarchar(10)) FROM Q2;
SELECT CAST(message_body AS nvarchar(10)) FROM Q1;
ALTER SERVICE Target (ADD CONTRACT C);
GO
--! rows
--! before
--! after
--! rows
--! reply
--! spec SERVICE-22
-- ALTER SERVICE … ON QUEUE, rolled back and done; the old queue knows the conversation no more.
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q2);
BEGIN TRANSACTION;
ALTER SERVICE Target ON QUEUE Q3;
SELECT (SELECT COUNT(*) FROM Q2), (SELECT COUNT(*) FROM Q3);
ROLLBACK;
SELECT (SELECT COUNT(*) FROM Q2), (SELECT COUNT(*) FROM Q3);
ALTER SERVICE Target ON QUEUE Q3;
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q3 WHERE conversation_handle = @t;
RECEIVE * FROM Q2 WHERE conversation_handle = @t;
GO
--! rows
--! 0 | 2
--! rows
--! 2 | 0
--! rows
--! before
--! error 8426
--! spec SERVICE-20 SERVICE-31
-- DROP SERVICE waits for a transaction that holds one of its conversations, and can be rolled back.
--! session other IN Running
BEGIN TRANSACTION;
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q3;
GO
--! rows
--! after
--! session main
DROP SERVICE Target;
GO
--! blocked
--! session other
ROLLBACK;
GO
--! session main
--! finishes
SELECT (SELECT COUNT(*) FROM Q3), (SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 0);
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state = 'ER' AND far_service = 'Target';
GO
--! rows
--! 0 | 0
--! rows
--! 2
--! trace Conversation Terminate Dialog
--! spec SERVICE-27 SERVICE-32 SUBCLASS-5
CREATE SERVICE Target ON QUEUE Q3 (C);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'stays');
BEGIN TRANSACTION;
DROP SERVICE Target;
SELECT COUNT(*) FROM Q3;
ROLLBACK;
SELECT CAST(message_body AS nvarchar(10)) FROM Q3;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! 0
--! rows
--! stays
--! rows
--! CO
--! spec SERVICE-31
-- Who may send: RECEIVE on the own queue for the caller, SEND on the target for the owner of the initiating service.
CREATE SERVICE Bosses AUTHORIZATION boss ON QUEUE Q1;
GRANT RECEIVE ON Q1 TO plain; GRANT REFERENCES ON CONTRACT::C TO plain;
EXECUTE AS USER = 'plain';
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Starter TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'allowed');
REVERT;
SELECT CAST(message_body AS nvarchar(10)) FROM Q3 ORDER BY queuing_order;
GO
--! rows
--! stays
--! allowed
--! spec SERVICE-33 SERVICE-35
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Bosses TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'no SEND');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1 WHERE conversation_handle = @h;
GRANT SEND ON SERVICE::Target TO boss;
BEGIN DIALOG @h FROM SERVICE Bosses TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'SEND');
SELECT TOP (1) CAST(message_body AS nvarchar(10)) FROM Q3 ORDER BY queuing_order DESC;
GO
--! rows
--! -8494
--! rows
--! SEND
--! spec SERVICE-34
