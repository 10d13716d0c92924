-- Dynamic routing: the service SQL/ServiceBroker/BrokerConfiguration is asked for missing routes.
CREATE DATABASE Asking;
CREATE DATABASE Distant;
ALTER DATABASE Asking SET TRUSTWORTHY ON;
GO
USE Distant;
CREATE QUEUE Q; CREATE SERVICE Far ON QUEUE Q ([DEFAULT]);
USE Asking;
CREATE QUEUE Q; CREATE QUEUE TargetQueue; CREATE QUEUE ConfigurationQueue;
CREATE SERVICE Start ON QUEUE Q;
CREATE SERVICE Here ON QUEUE TargetQueue ([DEFAULT]);
CREATE SERVICE [SQL/ServiceBroker/BrokerConfiguration] ON QUEUE ConfigurationQueue
    ([http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice]);
CREATE ROUTE Configuration WITH SERVICE_NAME = 'SQL/ServiceBroker/BrokerConfiguration', ADDRESS = 'LOCAL';
CREATE TABLE H (name nvarchar(20), h uniqueidentifier);
GO
CREATE PROCEDURE Talk @to nvarchar(256), @broker nvarchar(128) = NULL AS
BEGIN
    DECLARE @h uniqueidentifier;
    IF @broker IS NULL BEGIN DIALOG @h FROM SERVICE Start TO SERVICE @to WITH ENCRYPTION = OFF;
    ELSE BEGIN DIALOG @h FROM SERVICE Start TO SERVICE @to, @broker WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@to);
END;
GO
CREATE ROUTE Wrong WITH SERVICE_NAME = 'SQL/ServiceBroker/BrokerConfiguration', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', ADDRESS = 'LOCAL';
GO
--! error 9744
--! spec ROUTE-31
-- Two conversations to a service without a route of its own, although it is right here: both are delayed, one request is made.
EXEC Talk N'Here';
EXEC Talk N'Here';
SELECT to_service_name, CASE WHEN transmission_status LIKE '%being located%' THEN 9770 END FROM sys.transmission_queue;
SELECT COUNT(*) FROM TargetQueue;
GO
--! rows
--! Here | 9770
--! Here | 9770
--! rows
--! 0
--! settle
SELECT message_type_name, service_contract_name FROM ConfigurationQueue;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice/MissingRoute')
SELECT CAST(message_body AS xml).value('(/MissingRoute/SERVICE_NAME)[1]', 'nvarchar(256)'), CAST(message_body AS xml).exist('/MissingRoute/BROKER_INSTANCE') FROM ConfigurationQueue;
SELECT far_service FROM sys.conversation_endpoints WHERE is_initiator = 0;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice/MissingRoute | http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice
--! rows
--! Here | 0
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/ServiceBroker
--! spec DYNAMIC-1 DYNAMIC-2 DYNAMIC-3 DYNAMIC-4 DYNAMIC-5 DYNAMIC-9 MATCH-5 DELAY-7
-- As long as the dialog is open nothing more is asked, however long that takes.
--! advance 300s
SELECT COUNT(*) FROM ConfigurationQueue;
GO
--! rows
--! 1
--! spec DYNAMIC-10
-- The answer: a route, and the end of the dialog. All that waited goes at once.
CREATE ROUTE ForHere WITH SERVICE_NAME = 'Here', ADDRESS = 'LOCAL';
DECLARE @c uniqueidentifier;
RECEIVE @c = conversation_handle FROM ConfigurationQueue;
END CONVERSATION @c;
GO
--! settle
SELECT COUNT(*) FROM TargetQueue;
SELECT COUNT(*) FROM sys.transmission_queue;
EXEC Talk N'Here';
SELECT COUNT(*) FROM TargetQueue;
SELECT COUNT(*) FROM ServiceBrokerQueue;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE far_service = 'SQL/ServiceBroker/BrokerConfiguration';
GO
--! rows
--! 2
--! rows
--! 0
--! rows
--! 3
--! rows
--! 0
--! rows
--! 0
--! spec DYNAMIC-6
-- The conversation names a broker: the request too.
DECLARE @distant nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Distant');
EXEC Talk N'Far', @distant;
GO
--! settle
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice/MissingRoute')
SELECT CAST(message_body AS xml).value('(/MissingRoute/SERVICE_NAME)[1]', 'nvarchar(256)'),
    (SELECT name FROM sys.databases WHERE CAST(service_broker_guid AS nvarchar(36)) = CAST(message_body AS xml).value('(/MissingRoute/BROKER_INSTANCE)[1]', 'nvarchar(128)'))
FROM ConfigurationQueue;
-- The service finds nothing and says so: the message stays, and is asked for again after a while.
DECLARE @c uniqueidentifier;
RECEIVE @c = conversation_handle FROM ConfigurationQueue;
END CONVERSATION @c WITH ERROR = 1 DESCRIPTION = N'unknown';
GO
--! rows
--! Far | Distant
--! settle
SELECT COUNT(*) FROM ConfigurationQueue;
SELECT to_service_name FROM sys.transmission_queue;
EXEC Talk N'Here';
SELECT COUNT(*) FROM TargetQueue;
GO
--! rows
--! 0
--! rows
--! Far
--! rows
--! 4
--! log 9761
--! spec DYNAMIC-8
--! advance 130s
SELECT COUNT(*) FROM ConfigurationQueue;
GO
--! rows
--! 1
--! spec DYNAMIC-7
-- A restart in the middle of it: the request stays open, and its end brings the route.
--! restart
USE Asking;
CREATE ROUTE ForFar WITH SERVICE_NAME = 'Far', ADDRESS = 'LOCAL';
DECLARE @c uniqueidentifier;
RECEIVE TOP (1) @c = conversation_handle FROM ConfigurationQueue;
END CONVERSATION @c;
GO
--! advance 70s
SELECT CAST(message_body AS nvarchar(10)) FROM Distant.dbo.Q;
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE far_service = 'SQL/ServiceBroker/BrokerConfiguration';
GO
--! rows
--! Far
--! rows
--! 0
--! rows
--! 0
--! spec DYNAMIC-11
