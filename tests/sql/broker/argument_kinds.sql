-- What the arguments of the broker's statements may be: in which order they are refused, which types they have, and what NULL does.
CREATE DATABASE Kinds;
GO
USE Kinds;
CREATE MESSAGE TYPE ask; CREATE MESSAGE TYPE alien;
CREATE CONTRACT talk (ask SENT BY INITIATOR);
CREATE QUEUE q;
CREATE SERVICE s ON QUEUE q (talk, [DEFAULT]);
GO
-- A NULL body is looked at last, behind handle, state, type and contract.
DECLARE @h uniqueidentifier, @unknown uniqueidentifier = NEWID(), @body varbinary(10);
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT talk WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @unknown MESSAGE TYPE ask (@body);
SEND ON CONVERSATION @unknown MESSAGE TYPE nope (NULL);
SEND ON CONVERSATION @h MESSAGE TYPE nope (NULL);
SEND ON CONVERSATION @h MESSAGE TYPE alien (NULL);
SEND ON CONVERSATION @h MESSAGE TYPE ask (NULL);
SEND ON CONVERSATION (@h, @unknown) MESSAGE TYPE ask (NULL);
SEND ON CONVERSATION (@h) MESSAGE TYPE ask (@body);
SELECT state, send_sequence FROM sys.conversation_endpoints;
GO
--! error 8426
--! error 8426
--! error 8428
--! error 8431
--! error 8433
--! error 8435
--! error 8433
--! rows
--! SO | 0
--! spec SEND-47 SEND-12
-- A TIMEOUT that is NULL is refused as other NULL arguments are: the batch goes on.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints), @seconds int;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = @seconds;
SELECT 'goes on', @@ERROR;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = NULL;
SELECT 'goes on', @@ERROR;
GO
--! error 8402
--! rows
--! goes on | 8402
--! error 8402
--! rows
--! goes on | 8402
--! spec TIMER-15
DECLARE @h uniqueidentifier; END CONVERSATION @h; SELECT 'goes on', @@ERROR;
SEND ON CONVERSATION @h; SELECT 'goes on', @@ERROR;
MOVE CONVERSATION @h TO @h; SELECT 'goes on', @@ERROR;
GO
--! error 8418
--! rows
--! goes on | 8418
--! error 8418
--! rows
--! goes on | 8418
--! error 8418
--! rows
--! goes on | 8418
-- Names are text.
DECLARE @h uniqueidentifier, @n int = 5;
BEGIN DIALOG @h FROM SERVICE @n TO SERVICE 's' WITH ENCRYPTION = OFF;
GO
--! error 8402
DECLARE @h uniqueidentifier, @n int = 5;
BEGIN DIALOG @h FROM SERVICE s TO SERVICE @n WITH ENCRYPTION = OFF;
GO
--! error 8402
DECLARE @h uniqueidentifier, @n datetime = GETDATE();
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT @n WITH ENCRYPTION = OFF;
GO
--! error 8402
DECLARE @h uniqueidentifier = NEWID(), @n varbinary(10) = 0x61;
SEND ON CONVERSATION @h MESSAGE TYPE @n (0x01);
GO
--! error 8402
DECLARE @h uniqueidentifier, @c char(1) = 's', @t varchar(10) = 's', @n sysname = N'DEFAULT';
BEGIN DIALOG @h FROM SERVICE @c TO SERVICE @t ON CONTRACT @n WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE @n (0x01);
SELECT COUNT(*) FROM q;
GO
--! rows
--! 1
--! spec DIALOG-55
