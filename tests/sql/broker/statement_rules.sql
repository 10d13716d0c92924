-- What all broker statements share: the semicolon in front, missing and impossible arguments, functions, a disabled broker, rollback of definitions.
CREATE DATABASE Rules;
GO
USE Rules;
CREATE QUEUE Q; CREATE QUEUE Inbox;
CREATE SERVICE S ON QUEUE Q; CREATE SERVICE T ON QUEUE Inbox ([DEFAULT]);
GO
-- Without a semicolon in front they are statements all the same where nothing before them could take a name; a WITH is not.
DECLARE @g uniqueidentifier = NEWID(), @none uniqueidentifier
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF
SELECT 1 AS n GET CONVERSATION GROUP @none FROM Q
SELECT 2 AS n RECEIVE status FROM Q
SET @g = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h)
SELECT 3 AS n SEND ON CONVERSATION @h (N'three')
SELECT 4 AS n MOVE CONVERSATION @h TO @g
GO
--! rows
--! 1
--! rows
--! 2
--! rows
--! rows
--! 3
--! rows
--! 4
RECEIVE CAST(message_body AS nvarchar(10)) FROM Inbox;
GO
--! rows
--! three
--! spec COMMON-1
-- Where a name may stand, their words are names, as they are no reserved words.
SELECT 1 RECEIVE; SELECT THROW.status SEND FROM Q THROW;
GO
--! rows
--! columns RECEIVE
--! 1
--! rows
--! columns SEND
SELECT 1
RECEIVE * FROM Q;
GO
--! error 102 line 2 text put ; before RECEIVE
SELECT name FROM sys.services
SEND ON CONVERSATION @h;
GO
--! error 156 line 2 text put ; before SEND
BEGIN TRANSACTION
RECEIVE TOP (1) * FROM Q;
GO
--! error 156 line 2 text put ; before RECEIVE
BEGIN TRANSACTION;
BEGIN TRY RAISERROR (N'first', 16, 1); END TRY
BEGIN CATCH
    ROLLBACK TRANSACTION
    THROW
END CATCH;
ROLLBACK;
GO
--! error 6401 line 4 text put ; before THROW
--! spec COMMON-1
SELECT 1 AS one
WITH XMLNAMESPACES ('urn:x' AS x) SELECT 2;
GO
--! error 319
--! spec COMMON-25
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h (N'one')
;RECEIVE CAST(message_body AS nvarchar(5)) FROM Inbox;
GO
--! rows
--! one
--! spec COMMON-2
-- Nothing of it in a function.
CREATE FUNCTION F1() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T'; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F2(@h uniqueidentifier) RETURNS int AS BEGIN BEGIN CONVERSATION TIMER (@h) TIMEOUT = 1; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F3(@h uniqueidentifier) RETURNS int AS BEGIN SEND ON CONVERSATION @h; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F4() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM Q; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F5() RETURNS int AS BEGIN DECLARE @h uniqueidentifier; GET CONVERSATION GROUP @h FROM Q; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F6(@h uniqueidentifier) RETURNS int AS BEGIN MOVE CONVERSATION @h TO @h; RETURN 1; END;
GO
--! error 443
CREATE FUNCTION F7(@h uniqueidentifier) RETURNS int AS BEGIN END CONVERSATION @h; RETURN 1; END;
GO
--! error 443
--! spec COMMON-3
-- NULL, one by one.
DECLARE @n uniqueidentifier;
SEND ON CONVERSATION @n;
GO
--! error 8418
DECLARE @n uniqueidentifier;
END CONVERSATION @n;
GO
--! error 8418
DECLARE @n uniqueidentifier;
BEGIN CONVERSATION TIMER (@n) TIMEOUT = 1;
GO
--! error 8418
DECLARE @n uniqueidentifier, @g uniqueidentifier = NEWID();
MOVE CONVERSATION @n TO @g;
GO
--! error 8418
--! spec COMMON-5
DECLARE @h uniqueidentifier, @n uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T';
MOVE CONVERSATION @h TO @n;
GO
--! error 8420
--! spec COMMON-6
DECLARE @h uniqueidentifier, @n nvarchar(10);
BEGIN DIALOG @h FROM SERVICE S TO SERVICE @n;
GO
--! error 8421
DECLARE @h uniqueidentifier, @n sysname;
BEGIN DIALOG @h FROM SERVICE @n TO SERVICE 'T';
GO
--! error 8421
--! spec COMMON-7
DECLARE @h uniqueidentifier, @n sysname;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' ON CONTRACT @n;
GO
--! error 8417
--! spec COMMON-8
DECLARE @h uniqueidentifier, @n int;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T';
END CONVERSATION @h WITH ERROR = @n DESCRIPTION = N'x';
GO
--! error 8419
DECLARE @h uniqueidentifier, @n nvarchar(10);
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T';
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = @n;
GO
--! error 8422
DECLARE @h uniqueidentifier, @n nvarchar(10), @i int;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T';
END CONVERSATION @h WITH ERROR = @i DESCRIPTION = @n;
GO
--! error 8424
--! spec COMMON-9 COMMON-26 COMMON-27
DECLARE @h uniqueidentifier, @n int;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH LIFETIME = @n;
GO
--! error 8406
--! spec COMMON-10
DECLARE @h uniqueidentifier, @n uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION (@h, @n);
GO
--! error 8441
--! spec COMMON-11
DECLARE @h datetime = '2026-01-01';
SEND ON CONVERSATION @h;
GO
--! error 8402
DECLARE @h int;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T';
GO
--! error 8402
--! spec COMMON-12
-- A handle may be a string, and mostly an expression.
DECLARE @h uniqueidentifier, @s nvarchar(50), @g uniqueidentifier = NEWID();
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF, RELATED_CONVERSATION_GROUP = @g;
SET @s = CAST(@h AS nvarchar(50));
SEND ON CONVERSATION @s (N'string');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Inbox;
END CONVERSATION @s WITH CLEANUP;
GO
--! rows
--! string
--! spec COMMON-13
DECLARE @h uniqueidentifier, @g uniqueidentifier = NEWID(), @other uniqueidentifier;
BEGIN DIALOG @other FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF, RELATED_CONVERSATION_GROUP = @g;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION (ISNULL(@h, @h), @other) (N'expression');
MOVE CONVERSATION ISNULL(@h, @g) TO ISNULL(@g, @h);
BEGIN CONVERSATION TIMER (ISNULL(@h, @g)) TIMEOUT = 1 + 1;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_handle = @h AND conversation_group_id = @g AND dialog_timer > '2000-01-01';
END CONVERSATION ISNULL(@h, @g);
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
RECEIVE TOP (0) status FROM Inbox;
GO
--! rows
--! 1
--! rows
--! DO
--! rows
--! spec COMMON-14
DECLARE @h uniqueidentifier;
RECEIVE * FROM Q WHERE conversation_handle = ISNULL(@h, @h);
GO
--! error 102
WAITFOR (RECEIVE * FROM Q), TIMEOUT 50 + 50;
GO
--! error 102
DECLARE @h uniqueidentifier;
END CONVERSATION @h WITH ERROR = 1 + 1 DESCRIPTION = N'x';
GO
--! error 102
DECLARE @h uniqueidentifier;
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'x' + N'y';
GO
--! error 102
--! spec COMMON-15 COMMON-16 COMMON-17
-- A disabled broker stops nothing but delivery.
ALTER DATABASE Rules SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'waits');
RECEIVE status FROM Q;
SELECT CAST(message_body AS nvarchar(10)), CASE WHEN transmission_status = (SELECT text FROM sys.messages WHERE message_id = 9791) THEN 9791 END
FROM sys.transmission_queue;
ALTER DATABASE Rules SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
GO
--! rows
--! rows
--! waits | 9791
--! spec COMMON-4
-- Definitions roll back; those of endpoints and databases are not for transactions.
CREATE MESSAGE TYPE Kept; CREATE QUEUE KeptQ; CREATE BROKER PRIORITY KeptP FOR CONVERSATION;
BEGIN TRANSACTION;
CREATE MESSAGE TYPE New1; CREATE CONTRACT New2 (New1 SENT BY ANY); CREATE QUEUE New3; CREATE SERVICE New4 ON QUEUE New3;
CREATE BROKER PRIORITY New5 FOR CONVERSATION SET (PRIORITY_LEVEL = 2, REMOTE_SERVICE_NAME = 'x');
ALTER MESSAGE TYPE Kept VALIDATION = EMPTY; ALTER QUEUE KeptQ WITH RETENTION = ON; ALTER BROKER PRIORITY KeptP FOR CONVERSATION SET (PRIORITY_LEVEL = 9);
DROP BROKER PRIORITY KeptP; DROP QUEUE KeptQ; DROP MESSAGE TYPE Kept;
ROLLBACK;
SELECT (SELECT COUNT(*) FROM sys.service_message_types WHERE name = 'New1') + (SELECT COUNT(*) FROM sys.service_contracts WHERE name = 'New2')
    + (SELECT COUNT(*) FROM sys.service_queues WHERE name = 'New3') + (SELECT COUNT(*) FROM sys.services WHERE name = 'New4')
    + (SELECT COUNT(*) FROM sys.conversation_priorities WHERE name = 'New5');
SELECT RTRIM(m.validation), q.is_retention_enabled, p.priority FROM sys.service_message_types m, sys.service_queues q, sys.conversation_priorities p
WHERE m.name = 'Kept' AND q.name = 'KeptQ' AND p.name = 'KeptP';
GO
--! rows
--! 0
--! rows
--! N | 0 | 5
--! spec COMMON-18
BEGIN TRANSACTION;
CREATE ENDPOINT E AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 574
IF @@TRANCOUNT > 0 ROLLBACK;
BEGIN TRANSACTION;
ALTER DATABASE Rules SET NEW_BROKER;
GO
--! error 226
IF @@TRANCOUNT > 0 ROLLBACK;
GO
--! spec COMMON-19 COMMON-20
-- Missing and doubled names.
ALTER MESSAGE TYPE Missing VALIDATION = NONE;
GO
--! error 15151 severity 16
DROP MESSAGE TYPE Missing;
GO
--! error 15151 severity 16
DROP CONTRACT Missing;
GO
--! error 15151 severity 16
ALTER SERVICE Missing ON QUEUE Q;
GO
--! error 15151 severity 16
DROP SERVICE Missing;
GO
--! error 15151 severity 16
ALTER BROKER PRIORITY Missing FOR CONVERSATION SET (PRIORITY_LEVEL = 1);
GO
--! error 15151 severity 16
DROP BROKER PRIORITY Missing;
GO
--! error 15151 severity 16
--! spec COMMON-21
CREATE MESSAGE TYPE Kept;
GO
--! error 2714 severity 16
CREATE CONTRACT [DEFAULT] (Kept SENT BY ANY);
GO
--! error 2714
CREATE QUEUE Q;
GO
--! error 2714
CREATE SERVICE S ON QUEUE Q;
GO
--! error 2714
--! spec COMMON-22
DECLARE @h uniqueidentifier, @g uniqueidentifier = NEWID();
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'T' WITH ENCRYPTION = OFF, LIFETIME = 60, RELATED_CONVERSATION_GROUP = @g;
SELECT DATEDIFF(second, '2026-01-01', lifetime) FROM sys.conversation_endpoints WHERE conversation_handle = @h AND conversation_group_id = @g;
GO
--! rows
--! *
--! spec COMMON-23
USE master;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [http://schemas.microsoft.com/SQL/ServiceBroker/ServiceBroker] TO SERVICE 'x';
GO
--! error 8442 severity 16
RECEIVE * FROM ServiceBrokerQueue;
GO
--! error 8442 severity 16
--! spec COMMON-24
