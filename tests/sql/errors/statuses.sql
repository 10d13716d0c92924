-- The numbers behind transmission_status and behind the codes of Error messages.
CREATE DATABASE Here;
CREATE DATABASE There;
GO
USE There;
CREATE QUEUE Q; CREATE SERVICE Away ON QUEUE Q ([DEFAULT]); GRANT SEND ON SERVICE::Away TO public;
USE Here;
CREATE QUEUE Q; CREATE QUEUE Inbox; CREATE SERVICE Asks ON QUEUE Q; CREATE SERVICE Answers ON QUEUE Inbox ([DEFAULT]);
CREATE CONTRACT C ([DEFAULT] SENT BY ANY);
GRANT SEND ON SERVICE::Asks TO public;
GO
CREATE PROCEDURE Talk @to nvarchar(256), @broker nvarchar(128) = NULL, @lifetime int = 100000 AS
BEGIN
    DECLARE @h uniqueidentifier;
    IF @broker IS NULL BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE @to WITH ENCRYPTION = OFF, LIFETIME = @lifetime;
    ELSE BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE @to, @broker WITH ENCRYPTION = OFF, LIFETIME = @lifetime;
    SEND ON CONVERSATION @h (N'x');
END;
GO
-- The message of the catalogue that a status is made of.
CREATE VIEW Reasons AS SELECT t.to_service_name, m.message_id FROM sys.transmission_queue t JOIN sys.messages m ON t.transmission_status LIKE REPLACE(m.text, '%s', '%')
WHERE m.severity = 10 AND (m.message_id BETWEEN 9600 AND 9799 OR m.message_id BETWEEN 28000 AND 28099) OR m.message_id BETWEEN 28000 AND 28099 AND t.transmission_status LIKE REPLACE(m.text, '%s', '%');
GO
CREATE VIEW Codes AS SELECT e.far_service, CAST(q.message_body AS xml).value('declare default element namespace "http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/Error/Code)[1]', 'int') AS code
FROM Q q JOIN sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle WHERE q.message_type_id = 1;
GO
EXEC Talk N'Nobody'; EXEC Talk N'answers';
CREATE ROUTE Network WITH SERVICE_NAME = 'Far', ADDRESS = 'TCP://far:4022';
EXEC Talk N'Far';
CREATE ROUTE Ghost WITH SERVICE_NAME = 'Ghost', ADDRESS = 'LOCAL';
EXEC Talk N'Ghost';
ALTER QUEUE Inbox WITH STATUS = OFF;
EXEC Talk N'Answers';
SELECT to_service_name, message_id FROM Reasons ORDER BY to_service_name COLLATE Latin1_General_BIN;
GO
--! rows
--! Answers | 28021
--! Far | 9666
--! Ghost | 9796
--! Nobody | 9793
--! answers | 9793
--! spec ERROR-28021 ERROR-9666 ERROR-9796 ERROR-9793
ALTER QUEUE Inbox WITH STATUS = ON;
GO
-- Dialog security between databases without a master key; a disabled broker.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Away';
SEND ON CONVERSATION @h (N'secret');
SELECT r.message_id FROM Reasons r WHERE r.to_service_name = 'Away' ORDER BY r.message_id;
END CONVERSATION @h WITH CLEANUP;
GO
--! rows
--! 28051
--! spec ERROR-28051
ALTER DATABASE Here SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
CREATE SERVICE Late ON QUEUE Q;
EXEC Talk N'Late';
SELECT message_id FROM Reasons WHERE to_service_name = 'Late';
ALTER DATABASE Here SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
GO
--! rows
--! 9791
--! spec ERROR-9791
-- Codes of Error messages: the contract, the target dropped, the lifetime, the conversation gone.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Answers' ON CONTRACT C WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x');
SELECT code FROM Codes WHERE far_service = 'Answers';
GO
--! rows
--! -8408
--! spec ERROR-8408
CREATE SERVICE Gone ON QUEUE Inbox ([DEFAULT]);
EXEC Talk N'Gone';
DROP SERVICE Gone;
SELECT code FROM Codes WHERE far_service = 'Gone';
GO
--! rows
--! -8470
--! spec ERROR-8470
CREATE SERVICE Short ON QUEUE Inbox ([DEFAULT]);
EXEC Talk N'Short', NULL, 5;
GO
--! advance 6s
SELECT code FROM Codes WHERE far_service = 'Short';
GO
--! rows
--! -8489
--! spec ERROR-8489
CREATE SERVICE Cleaned ON QUEUE Inbox ([DEFAULT]);
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Cleaned' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x');
SELECT @t = conversation_handle FROM Inbox WHERE service_name = 'Cleaned';
END CONVERSATION @t WITH CLEANUP;
SEND ON CONVERSATION @h (N'y');
SELECT code FROM Codes WHERE far_service = 'Cleaned';
GO
--! rows
--! -8462
--! spec ERROR-8462
-- ERROR_BROKER_CONVERSATIONS: here and at the peer in another database.
CREATE SERVICE Errs ON QUEUE Inbox ([DEFAULT]);
EXEC Talk N'Errs'; EXEC Talk N'Away';
ALTER DATABASE There SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE;
SELECT code FROM Codes WHERE far_service = 'Away';
ALTER DATABASE Here SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE;
SELECT code FROM Codes WHERE far_service = 'Errs';
GO
--! rows
--! -9720
--! rows
--! -9719
--! spec ERROR-9719 ERROR-9720
