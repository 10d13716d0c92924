-- What the far side finds wrong comes back as an Error message.
:r pair.inc
SELECT service_broker_guid FROM sys.databases WHERE name = N'Shop';
GO
-- -8490: the broker is there, and has no such service
CREATE SERVICE [//Later] ON QUEUE Desk ([DEFAULT]);
GRANT SEND ON SERVICE::[//Later] TO public;
GO
--! instance A
:r begin.inc
--! advance 5s
CREATE ROUTE Later WITH SERVICE_NAME = '//Later', ADDRESS = 'TCP://B:4022';
DECLARE @h uniqueidentifier, @broker nvarchar(36);
SELECT @broker = far_broker_instance FROM sys.conversation_endpoints;
BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//Later', @broker WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'is there one?');
BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//Never', @broker WITH ENCRYPTION = OFF;
CREATE ROUTE Never WITH SERVICE_NAME = '//Never', ADDRESS = 'TCP://B:4022';
SEND ON CONVERSATION @h (N'is there one?');
GO
--! advance 5s
--! spec BROKERERROR-17
SELECT far_service, RTRIM(e.state) AS state,
    CAST(message_body AS xml).value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int') AS code
FROM sys.conversation_endpoints AS e LEFT JOIN Desk AS d ON d.conversation_handle = e.conversation_handle
ORDER BY far_service;
GO
--! rows
--! //B | CO | NULL
--! //Later | CO | NULL
--! //Never | ER | -8490
