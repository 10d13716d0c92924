-- Scalability paper, with two initiators and a target, each a server of its own: endpoints, certificates, routes and
-- bindings; then the receiving procedure with its readers, and 150 dialogs for each one that is used.

:r common/scalability-servers.sql
SELECT b.name, b.state_desc, t.port, b.connection_auth, c.name AS certificate, b.encryption_algorithm
FROM sys.service_broker_endpoints AS b
JOIN sys.tcp_endpoints AS t ON t.endpoint_id = b.endpoint_id
JOIN master.sys.certificates AS c ON c.certificate_id = b.certificate_id;
GO
--! rows
--! Endpoint_SRPerf_1 | STARTED | 5114 | 4 | MYINITIATORSERVER2_EP | 0

--! instance MYTARGETSERVER
USE SSBReceiver;
GO
CREATE TABLE dbo.messageDrop (id int IDENTITY(1, 1) PRIMARY KEY, messageVal varbinary(2000));
CREATE TABLE dbo.messageCount (id int IDENTITY(1, 1) PRIMARY KEY, received datetime NOT NULL, messages int NOT NULL);
GO
:r ../../activated/SRPerf_Queue_LabTest.sql
ALTER QUEUE dbo.MySSBLabTestQueue
    WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.SRPerf_Queue_LabTest, MAX_QUEUE_READERS = 16, EXECUTE AS OWNER);
GO

-- 150 dialogs on either initiator, one of them in use with twenty messages.
:setvar dialogs 150
:setvar used 150
:setvar messages 20
:setvar me MYINITIATORSERVER1
--! instance MYINITIATORSERVER1
:r common/scalability-send.sql
:setvar me MYINITIATORSERVER2
--! instance MYINITIATORSERVER2
:r common/scalability-send.sql
--! advance 30s
SELECT RTRIM(state) AS state, COUNT(*) AS dialogs FROM sys.conversation_endpoints WHERE is_initiator = 1 GROUP BY state;
SELECT COUNT(*) AS waiting FROM sys.transmission_queue;
SELECT principal_name, authentication_method, encryption_algorithm_desc FROM sys.dm_broker_connections WHERE is_accept = 0;
GO
--! rows unordered
--! SO | 149
--! CO | 1
--! rows
--! 0
--! rows
--! MYTARGETSERVER | CERTIFICATE | NONE

-- The dialogs that are not used do not come to the target; the others are there, each with the user of its sender.
--! instance MYTARGETSERVER
SELECT COUNT(*) AS payloads, MIN(DATALENGTH(messageVal)) AS bytes FROM dbo.messageDrop;
SELECT USER_NAME(far_principal_id) AS sender, COUNT(*) AS dialogs
FROM sys.conversation_endpoints
GROUP BY far_principal_id;
GO
--! rows
--! 40 | 100
--! rows unordered
--! Proxy:User_MYINITIATORSERVER1 | 1
--! Proxy:User_MYINITIATORSERVER2 | 1
