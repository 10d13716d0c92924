-- Two copies of a service: the one whose acknowledgement comes first has the dialog, the other one is told -8495.
:r pair.inc
--! instance C
CREATE ENDPOINT Broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Desk;
CREATE SERVICE [//B] ON QUEUE Desk ([DEFAULT]);
GRANT SEND ON SERVICE::[//B] TO public;
CREATE ROUTE There WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022';
GO
-- B takes the message; its acknowledgement does not find the way
--! instance B
USE Shop;
DROP ROUTE There;
GO
--! instance A
:r begin.inc
--! advance 2s
--! instance B
SELECT COUNT(*) FROM Desk;
-- on a target the function says why its acknowledgements do not get back
SELECT IIF(GET_TRANSMISSION_STATUS(conversation_handle) LIKE N'%service name could not be found%', 1, 0) FROM sys.conversation_endpoints;
GO
--! spec XMITSTATUS-8
--! rows
--! 1
--! rows
--! 1
--! instance A
ALTER ROUTE There WITH ADDRESS = 'TCP://C:4022';
GO
--! advance 2m
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 0
--! instance B
CREATE ROUTE There WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022';
DECLARE @h uniqueidentifier;
SELECT @h = conversation_handle FROM sys.conversation_endpoints;
SEND ON CONVERSATION @h (N'I have it');
GO
--! advance 2m
--! spec BROKERERROR-18
SELECT RTRIM(e.state) AS state, CAST(message_body AS xml).value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int') AS code
FROM sys.conversation_endpoints AS e JOIN Desk AS d ON d.conversation_handle = e.conversation_handle
WHERE message_type_name LIKE N'%/Error';
GO
--! rows
--! ER | -8495
--! instance A
SELECT COUNT(*) FROM Desk;
GO
--! rows
--! 0
