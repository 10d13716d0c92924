-- Arguments of the conversation statements: their types, NULL, expressions where the syntax has them, a database without a broker.
CREATE DATABASE Arguments;
GO
USE Arguments;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
-- A handle is any expression that converts implicitly to uniqueidentifier: in SEND, END, MOVE and BEGIN CONVERSATION TIMER.
DECLARE @h uniqueidentifier, @text varchar(36), @bytes varbinary(16);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SELECT @text = @h, @bytes = @h;
SEND ON CONVERSATION @text (N'1');
SEND ON CONVERSATION @bytes (N'2');
SEND ON CONVERSATION CAST(@text AS uniqueidentifier) MESSAGE TYPE [DEFAULT] (N'3');
SEND ON CONVERSATION (@h) (N'4');
SEND ON CONVERSATION (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1) (N'5');
SEND ON CONVERSATION ISNULL(NULL, @h);
SELECT COUNT(*) FROM Q2;
BEGIN CONVERSATION TIMER (CASE WHEN 1 = 1 THEN @text END) TIMEOUT = 50 + 10;
SELECT DATEDIFF(second, GETUTCDATE(), dialog_timer), conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h;
DECLARE @g varchar(36) = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h);
MOVE CONVERSATION (SELECT @text) TO LOWER(@g);
END CONVERSATION (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 1;
GO
--! rows
--! 6
--! rows
--! 60 | *
--! rows
--! DO
--! spec COMMON-13 COMMON-14 MOVE-11 MOVE-13
-- 8402: a type that does not convert.
SEND ON CONVERSATION 5;
GO
--! error 8402 severity 16
--! spec COMMON-12
DECLARE @x xml; END CONVERSATION @x;
GO
--! error 8402
DECLARE @d datetime; MOVE CONVERSATION NEWID() TO @d;
GO
--! error 8402
DECLARE @d decimal(5, 2); MOVE CONVERSATION @d TO NEWID();
GO
--! error 8402
BEGIN CONVERSATION TIMER (1.5) TIMEOUT = 1;
GO
--! error 8402
DECLARE @x xml; BEGIN CONVERSATION TIMER (NEWID()) TIMEOUT = @x;
GO
--! error 8402
DECLARE @v sql_variant; SEND ON CONVERSATION (NEWID(), @v);
GO
--! error 8402
DECLARE @v sql_variant = 1; SEND ON CONVERSATION NEWID() (@v);
GO
--! error 8402 text SEND
--! spec SEND-10
DECLARE @g int; GET CONVERSATION GROUP @g FROM Q2;
GO
--! error 8402
--! spec GETGROUP-6
DECLARE @h varchar(36); BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
GO
--! error 8402 text uniqueidentifier
--! spec DIALOG-2
DECLARE @h uniqueidentifier, @x xml; BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = @x;
GO
--! error 8402 text LIFETIME
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH RELATED_CONVERSATION = 1;
GO
--! error 8402
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH RELATED_CONVERSATION_GROUP = 1;
GO
--! error 8402
DECLARE @i int = 1; RECEIVE * FROM Q2 WHERE conversation_handle = @i;
GO
--! error 8402
DECLARE @i int = 1; RECEIVE * FROM Q2 WHERE conversation_group_id = @i;
GO
--! error 8402
DECLARE @x xml; END CONVERSATION NEWID() WITH ERROR = @x DESCRIPTION = N'x';
GO
--! error 8402 text error code
-- A string that is no GUID does not convert (8169).
SEND ON CONVERSATION 'nonsense';
GO
--! error 8169
RECEIVE * FROM Q2 WHERE conversation_handle = 'nonsense';
GO
--! error 8169
--! spec ALL-3
-- NULL: 8418 for a handle, 8420 for a group, 8441 for an element of a list.
SEND ON CONVERSATION NULL;
END CONVERSATION NULL;
END CONVERSATION NULL WITH CLEANUP;
BEGIN CONVERSATION TIMER (NULL) TIMEOUT = 1;
MOVE CONVERSATION NULL TO NEWID();
MOVE CONVERSATION NEWID() TO NULL;
SEND ON CONVERSATION (NEWID(), NULL);
BEGIN CONVERSATION TIMER (NEWID()) TIMEOUT = NULL;
GO
--! error 8418
--! error 8418
--! error 8418
--! error 8418
--! error 8418
--! error 8420
--! error 8435
--! error 8402
--! spec COMMON-5 COMMON-6 MOVE-8 TIMER-15
SEND ON CONVERSATION (NULL, NULL);
GO
--! error 8441 text 1
--! spec SEND-18
-- The code and the description of END CONVERSATION are a literal or a variable each, nothing else.
END CONVERSATION NULL WITH ERROR = 1 + 1 DESCRIPTION = N'x';
GO
--! error 102
--! spec END-5
END CONVERSATION NULL WITH ERROR = 1 DESCRIPTION = N'x' + N'y';
GO
--! error 102
END CONVERSATION NULL WITH ERROR = 1 DESCRIPTION = 5;
GO
--! error 102
--! spec END-5
END CONVERSATION NULL WITH ERROR = 1;
GO
--! error 102
END CONVERSATION NULL WITH DESCRIPTION = N'x';
GO
--! error 102
END CONVERSATION NULL WITH CLEANUP, ERROR = 1 DESCRIPTION = N'x';
GO
--! error 102
--! spec END-4
-- The code reaches 2147483647; 0 and negative numbers are the broker's (8419). A description is cut off at 3000 characters.
DECLARE @h uniqueidentifier, @t uniqueidentifier, @most int = 2147483647, @long nvarchar(max) = REPLICATE(CAST(N'é' AS nvarchar(max)), 3100);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
END CONVERSATION @h WITH ERROR = -1 DESCRIPTION = N'x';
END CONVERSATION @h WITH ERROR = 0 DESCRIPTION = N'x';
END CONVERSATION @h WITH ERROR = @most DESCRIPTION = @long;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'), LEN(CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(max)'))
FROM Q2 WHERE message_type_id = 1;
GO
--! error 8419
--! error 8419
--! rows
--! 2147483647 | 3000
--! spec END-14 END-15 END-16
-- LIFETIME: 1 to 2147483647, from any expression.
DECLARE @h uniqueidentifier, @big bigint = 2147483648;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 2147483648;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = @big;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 0;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = NULL;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 1;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH LIFETIME = 60 * 60;
SELECT DATEDIFF(second, GETUTCDATE(), lifetime) FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! error 8411
--! error 8411
--! error 8411
--! error 8406
--! rows
--! 3600
--! spec DIALOG-30 DIALOG-31
-- The name of the target: not checked, but neither empty nor longer than 256 characters (8412).
DECLARE @h uniqueidentifier, @name nvarchar(max) = REPLICATE(N'n', 257);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE '';
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE @name;
SET @name = REPLICATE(N'n', 256);
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE @name;
SELECT LEN(far_service) FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! error 8412
--! error 8412
--! rows
--! 256
--! spec DIALOG-7 DIALOG-10
-- A broker instance that is not a GUID fits no broker; one of more than 256 bytes is 8413; the zero group id is 8414.
DECLARE @h uniqueidentifier, @long nvarchar(200) = REPLICATE(N'n', 129), @zero uniqueidentifier = 0x;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', 'not a GUID' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'nowhere');
SELECT to_broker_instance, CASE WHEN transmission_status <> '' THEN 'reason' END FROM sys.transmission_queue;
END CONVERSATION @h WITH CLEANUP;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2', @long;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH RELATED_CONVERSATION_GROUP = @zero;
GO
--! rows
--! not a GUID | reason
--! error 8413
--! error 8414
--! spec DIALOG-12 DIALOG-17 DIALOG-38
-- master and model have no broker: 8442 for every statement, with the broker's GUID all zero. A disabled broker is one.
SELECT name, CASE service_broker_guid WHEN 0x THEN 'none' ELSE 'some' END, is_broker_enabled FROM sys.databases WHERE database_id <= 4 ORDER BY database_id;
USE master;
CREATE QUEUE Q1; CREATE SERVICE S1 ON QUEUE Q1 ([DEFAULT]);
GO
--! rows
--! master | none | 0
--! tempdb | some | 1
--! model | none | 0
--! msdb | some | 1
DECLARE @h uniqueidentifier, @g uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S1';
SET @h = NEWID();
SEND ON CONVERSATION @h;
SEND ON CONVERSATION (@h, @g);
RECEIVE * FROM Q1;
GET CONVERSATION GROUP @g FROM Q1;
WAITFOR (RECEIVE * FROM Q1), TIMEOUT 10;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
MOVE CONVERSATION @h TO @h;
END CONVERSATION @h;
END CONVERSATION @h WITH CLEANUP;
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! error 8442 severity 16
--! error 8442
--! error 8442
--! error 8442
--! error 8442
--! error 8442
--! error 8442
--! error 8442
--! error 8442
--! error 8442
--! rows
--! 0
--! spec COMMON-24
DROP SERVICE S1; DROP QUEUE Q1;
GO
