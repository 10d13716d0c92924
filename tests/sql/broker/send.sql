-- SEND: types and bodies, several handles, retention.
CREATE DATABASE Sends;
GO
USE Sends;
CREATE MESSAGE TYPE FromI; CREATE MESSAGE TYPE FromT; CREATE MESSAGE TYPE Both; CREATE MESSAGE TYPE X VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT C (FromI SENT BY INITIATOR, FromT SENT BY TARGET, Both SENT BY ANY, X SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 (C, [DEFAULT]);
GO
-- What arrives, by the type of the body expression.
DECLARE @h uniqueidentifier, @x xml = N'<a>1</a>', @v varchar(10) = 'abc', @empty varbinary(10) = 0x;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h;
SEND ON CONVERSATION @h ('');
SEND ON CONVERSATION @h (@empty);
SEND ON CONVERSATION @h ('abc');
SEND ON CONVERSATION @h (N'abc');
SEND ON CONVERSATION @h (@v + 'd');
SEND ON CONVERSATION @h MESSAGE TYPE [DEFAULT] (0x0102FF);
SEND ON CONVERSATION @h (CAST(258 AS int));
SEND ON CONVERSATION (@h) (N'list of one');
RECEIVE message_sequence_number, message_body, message_type_name, validation FROM Q2;
SEND ON CONVERSATION @h (@x);
RECEIVE CAST(message_body AS xml) FROM Q2;
SEND ON CONVERSATION (CAST(@h AS varchar(36))) (N'by text');
RECEIVE CAST(message_body AS nvarchar(20)) AS body FROM Q2;
GO
--! rows
--! 0 | NULL | DEFAULT | N 
--! 1 | NULL | DEFAULT | N 
--! 2 | NULL | DEFAULT | N 
--! 3 | 0x616263 | DEFAULT | N 
--! 4 | 0x610062006300 | DEFAULT | N 
--! 5 | 0x61626364 | DEFAULT | N 
--! 6 | 0x0102FF | DEFAULT | N 
--! 7 | 0x00000102 | DEFAULT | N 
--! 8 | 0x6C0069007300740020006F00660020006F006E006500 | DEFAULT | N 
--! rows
--! <a>1</a>
--! rows
--! by text
--! spec SEND-1 SEND-5 SEND-6 SEND-7 SEND-8 SEND-9 SEND-13 SEND-15 SEND-36 RECEIVE-34
-- Direction: who may send what (8432, 8434).
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE FromT (N'no');
SEND ON CONVERSATION @h MESSAGE TYPE FromI (N'yes');
SEND ON CONVERSATION @h MESSAGE TYPE Both (N'both');
RECEIVE TOP (1) @t = conversation_handle FROM Q2;
SEND ON CONVERSATION @t MESSAGE TYPE FromI (N'no');
SEND ON CONVERSATION @t MESSAGE TYPE FromT (N'answer');
SEND ON CONVERSATION @t MESSAGE TYPE Both (N'both back');
SELECT message_type_name, CAST(message_body AS nvarchar(20)), message_sequence_number FROM Q1 WHERE conversation_handle = @h ORDER BY queuing_order;
-- Not in the contract: DEFAULT, system messages. Unknown type.
SEND ON CONVERSATION @h (N'no');
SEND ON CONVERSATION @h MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog];
SEND ON CONVERSATION @h MESSAGE TYPE both (N'case');
GO
--! error 8432
--! error 8434
--! rows
--! FromT | answer | 0
--! Both | both back | 1
--! error 8431
--! error 8431
--! error 8428
--! spec SEND-22 SEND-23 SEND-24 SEND-25 SEND-26
-- Several handles: all or none.
DECLARE @a uniqueidentifier, @b uniqueidentifier, @null uniqueidentifier, @unknown uniqueidentifier = NEWID();
RECEIVE CAST(message_body AS nvarchar(20)) FROM Q2;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION (@a, @unknown) MESSAGE TYPE Both (N'none');
SEND ON CONVERSATION (@a, @null) MESSAGE TYPE Both (N'none');
SEND ON CONVERSATION (@a, @b, @a) MESSAGE TYPE Both (N'none');
SELECT COUNT(*) FROM Q2;
SELECT send_sequence, state FROM sys.conversation_endpoints WHERE conversation_handle IN (@a, @b);
SEND ON CONVERSATION (@a, @b) MESSAGE TYPE Both (N'two');
SELECT COUNT(DISTINCT conversation_handle), COUNT(*) FROM Q2 WHERE message_body = CAST(N'two' AS varbinary(20));
END CONVERSATION @b;
SEND ON CONVERSATION (@a, @b) MESSAGE TYPE Both (N'none');
SELECT COUNT(*) FROM Q2 WHERE message_body = CAST(N'none' AS varbinary(20));
GO
--! rows
--! both
--! error 8435
--! error 8441
--! error 8451
--! rows
--! 0
--! rows
--! 0 | SO
--! 0 | SO
--! rows
--! 2 | 2
--! error 8429
--! rows
--! 0
--! spec SEND-2 SEND-16 SEND-17 SEND-18 SEND-19
