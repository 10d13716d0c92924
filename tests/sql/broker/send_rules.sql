-- SEND: the order of its checks, visibility, several handles, rights.
CREATE DATABASE SendRules;
GO
USE SendRules;
CREATE XML SCHEMA COLLECTION Orders AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="order" type="xsd:int"/></xsd:schema>';
GO
CREATE MESSAGE TYPE I; CREATE MESSAGE TYPE T; CREATE MESSAGE TYPE A; CREATE MESSAGE TYPE NotThere; CREATE MESSAGE TYPE Nothing VALIDATION = EMPTY;
CREATE MESSAGE TYPE Valid VALIDATION = VALID_XML WITH SCHEMA COLLECTION Orders;
CREATE CONTRACT C (I SENT BY INITIATOR, T SENT BY TARGET, A SENT BY ANY, Valid SENT BY ANY, Nothing SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C);
GO
-- Handle before state before type before contract before direction.
DECLARE @h uniqueidentifier, @ended uniqueidentifier, @t uniqueidentifier, @nobody uniqueidentifier = NEWID(), @null sysname;
BEGIN DIALOG @ended FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @ended MESSAGE TYPE A;
END CONVERSATION @ended;
RECEIVE @t = conversation_handle FROM Q2;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @nobody MESSAGE TYPE Unknown;
SEND ON CONVERSATION @ended MESSAGE TYPE Unknown;
SEND ON CONVERSATION @t MESSAGE TYPE Unknown;
SEND ON CONVERSATION @h MESSAGE TYPE Unknown;
SEND ON CONVERSATION @h MESSAGE TYPE @null;
SEND ON CONVERSATION @h MESSAGE TYPE NotThere;
SEND ON CONVERSATION @h MESSAGE TYPE T;
GO
--! error 8426
--! error 8429 text DO
--! error 8429 text DI
--! error 8428
--! error 8428
--! error 8431
--! error 8432
--! spec SEND-20 SEND-21 SEND-22 SEND-23 SEND-24 SEND-27 SEND-45
-- Every empty body fits VALID_XML and is NULL.
DECLARE @h uniqueidentifier, @e varbinary(max) = 0x;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Valid;
SEND ON CONVERSATION @h MESSAGE TYPE Valid (N'');
SEND ON CONVERSATION @h MESSAGE TYPE Valid ('');
SEND ON CONVERSATION @h MESSAGE TYPE Valid (@e);
SEND ON CONVERSATION @h MESSAGE TYPE Nothing;
SEND ON CONVERSATION @h MESSAGE TYPE Valid (N'<order>7</order>');
SELECT message_body FROM Q2 WHERE message_body IS NULL;
SELECT CAST(message_body AS nvarchar(30)) FROM Q2 WHERE message_body IS NOT NULL;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! NULL
--! NULL
--! NULL
--! NULL
--! NULL
--! rows
--! <order>7</order>
--! rows
--! CO
--! spec SEND-13 SEND-14
-- The bytes of an xml body: UTF-16 with its mark.
DECLARE @h uniqueidentifier, @x xml = N'<order>8</order>';
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE A (@x);
SELECT SUBSTRING(message_body, 1, 2), CAST(SUBSTRING(message_body, 3, 100) AS nvarchar(50)), CAST(message_body AS xml).value('/order[1]', 'int')
FROM Q2 WHERE message_type_name = 'A' AND message_body IS NOT NULL;
RECEIVE status FROM Q2 WHERE conversation_group_id = @h;
GO
--! rows
--! 0xFFFE | <order>8</order> | 8
--! error 8436
--! spec SEND-9
-- SO becomes CO; the message is in the target's queue inside the transaction, for others after the commit.
--! session one IN SendRules
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SEND ON CONVERSATION @h MESSAGE TYPE A (N'inside');
SELECT state, send_sequence FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'inside' AS varbinary(20));
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! SO
--! rows
--! CO | 1
--! rows
--! 1
--! rows
--! 0
--! spec SEND-29 SEND-41
--! session two IN SendRules
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'inside' AS varbinary(20));
GO
--! rows
--! 0
--! session one
COMMIT;
GO
--! session two
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'inside' AS varbinary(20));
GO
--! rows
--! 1
--! spec SEND-30
-- A list sends what single SENDs would: one message each, with each conversation's own number; across services too.
CREATE SERVICE S3 ON QUEUE Q1;
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S3 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a MESSAGE TYPE A (N'alone');
SEND ON CONVERSATION (@a, @b) MESSAGE TYPE A (N'both');
SELECT message_sequence_number, COUNT(DISTINCT message_id) FROM Q2 WHERE message_body = CAST(N'both' AS varbinary(20)) GROUP BY message_sequence_number ORDER BY 1 DESC;
SELECT far_service, send_sequence FROM sys.conversation_endpoints WHERE conversation_handle IN (@a, @b) ORDER BY send_sequence;
SEND ON CONVERSATION (@b, @a) MESSAGE TYPE A (N'turned');
SELECT message_sequence_number FROM Q2 WHERE message_body = CAST(N'turned' AS varbinary(20)) ORDER BY queuing_order;
GO
--! rows
--! 1 | 1
--! 0 | 1
--! rows
--! S2 | 1
--! S2 | 2
--! rows
--! 1
--! 2
--! spec SEND-42 SEND-36 SEND-46
-- RECEIVE on the queue of the sending service is needed, for each conversation of a list; SEND on anything is not.
CREATE QUEUE Q4; CREATE SERVICE S4 ON QUEUE Q4;
CREATE USER Ann WITHOUT LOGIN;
GRANT RECEIVE ON Q1 TO Ann;
GO
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S4 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
EXECUTE AS USER = 'Ann';
SEND ON CONVERSATION @a MESSAGE TYPE A (N'from Ann');
SEND ON CONVERSATION (@a, @b) MESSAGE TYPE A (N'neither');
GO
--! error 229 text RECEIVE
REVERT;
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'from Ann' AS varbinary(20));
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'neither' AS varbinary(20));
GO
--! rows
--! 1
--! rows
--! 0
--! spec SEND-38 SEND-17
-- Nobody has the service: the message waits, with a reason.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'Nobody' ON CONTRACT C WITH ENCRYPTION = OFF;
SELECT GET_TRANSMISSION_STATUS(@h);
SEND ON CONVERSATION @h MESSAGE TYPE A (N'x');
SELECT CASE WHEN GET_TRANSMISSION_STATUS(@h) <> '' THEN 'reason' END, SQL_VARIANT_PROPERTY(GET_TRANSMISSION_STATUS(@h), 'BaseType');
SELECT CASE WHEN GET_TRANSMISSION_STATUS(CAST(@h AS varchar(36))) = transmission_status THEN 'same' END FROM sys.transmission_queue;
END CONVERSATION @h WITH CLEANUP;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE A (N'x');
SELECT GET_TRANSMISSION_STATUS(@h), GET_TRANSMISSION_STATUS(NULL);
GO
--! rows
--! 
--! rows
--! reason | nvarchar
--! rows
--! same
--! rows
--! | NULL
--! spec SEND-33 XMITSTATUS-1 XMITSTATUS-2 XMITSTATUS-3 XMITSTATUS-5 XMITSTATUS-7
SELECT GET_TRANSMISSION_STATUS(5);
GO
--! error 206
--! spec XMITSTATUS-6
