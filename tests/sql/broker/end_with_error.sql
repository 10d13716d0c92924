-- END CONVERSATION WITH ERROR: the Error document at the other side, and what each state allows.
CREATE DATABASE EndError;
GO
USE EndError;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
SEND ON CONVERSATION @h (N'two');
GO
DECLARE @t uniqueidentifier;
RECEIVE TOP (1) @t = conversation_handle FROM Q2;
END CONVERSATION @t WITH ERROR = 127 DESCRIPTION = N'Unable to process <this> message.';
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 0
DECLARE @h uniqueidentifier, @type sysname, @body xml;
RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name, @body = message_body FROM Q1;
SELECT @type;
WITH XMLNAMESPACES ('http://schemas.microsoft.com/SQL/ServiceBroker/Error' AS e)
SELECT @body.value('(//e:Error/e:Code)[1]', 'int'), @body.value('(//e:Error/e:Description)[1]', 'nvarchar(3000)');
SELECT state, state_desc FROM sys.conversation_endpoints WHERE conversation_handle = @h;
SEND ON CONVERSATION @h (N'no');
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5;
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error
--! rows
--! 127 | Unable to process <this> message.
--! rows
--! ER | ERROR
--! error 8429
--! error 8458
--! rows
--! 0
--! spec SYSTEMMESSAGE-11 SYSTEMMESSAGE-6 CHANGE-19
