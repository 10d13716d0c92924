-- DROP SERVICE tells the peers by Error -8470, also those whose queue is off just then: nobody would tell them later.
CREATE DATABASE d;
GO
--! session main in d
CREATE QUEUE mine;
CREATE QUEUE theirs;
CREATE SERVICE [//mine] ON QUEUE mine;
CREATE SERVICE [//theirs] ON QUEUE theirs ([DEFAULT]);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//mine] TO SERVICE '//theirs' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (0x01);
GO
ALTER QUEUE mine WITH STATUS = OFF;
DROP SERVICE [//theirs];
SELECT state_desc FROM sys.conversation_endpoints;
ALTER QUEUE mine WITH STATUS = ON;
GO
--! rows
--! ERROR
--! settle
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM mine;
GO
--! rows
--! -8470
