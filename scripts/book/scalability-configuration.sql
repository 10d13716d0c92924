-- Scalability paper: the Service Broker configuration of senders and receiver.
-- Corrected: a stray blank in the network address; the owner of the route and the user of the binding are created here.
-- One instance: route and remote service binding are made as on the sending server, but stay in the catalog.

:r common/scalability-databases.sql

USE SSBReceiver;
GO
:r common/scalability-objects.sql
USE SSBSender;
GO
:r common/scalability-objects.sql

USE SSBSender;
GO
CREATE USER User_MYINITIATORSERVER_INST1_SSBSender WITHOUT LOGIN;
CREATE USER [Proxy:User_MYINITIATORSERVER_INST1_SSBSender] WITHOUT LOGIN;
GO
-- To one server, and to one database on it: the identifier is the target's service_broker_guid.
CREATE ROUTE Test_MYTARGETSERVER_INST2_1
    AUTHORIZATION User_MYINITIATORSERVER_INST1_SSBSender
    WITH SERVICE_NAME = N'//MySSB.com/Lab/S_Test',
    BROKER_INSTANCE = N'E7044BCF-CFFF-4526-810B-5A33EB763D0B',
    ADDRESS = N'TCP://MYINITIATORSERVER:5114';
GO
CREATE REMOTE SERVICE BINDING Test_MYTARGETSERVER_INST2_1
    AUTHORIZATION dbo
    TO SERVICE N'//MySSB.com/Lab/S_Test'
    WITH USER = [Proxy:User_MYINITIATORSERVER_INST1_SSBSender],
    ANONYMOUS = OFF;
GO

SELECT s.name AS service, q.name AS queue_name, c.name AS contract, t.name AS message_type,
       RTRIM(t.validation) AS validation, m.is_sent_by_initiator, m.is_sent_by_target
FROM sys.services AS s
JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
JOIN sys.service_contract_usages AS u ON u.service_id = s.service_id
JOIN sys.service_contracts AS c ON c.service_contract_id = u.service_contract_id
JOIN sys.service_contract_message_usages AS m ON m.service_contract_id = c.service_contract_id
JOIN sys.service_message_types AS t ON t.message_type_id = m.message_type_id
WHERE q.is_ms_shipped = 0;

SELECT name, USER_NAME(principal_id) AS owner, remote_service_name, broker_instance, address
FROM sys.routes
WHERE name <> N'AutoCreatedLocal';

SELECT name, remote_service_name, USER_NAME(remote_principal_id) AS remote_user, is_anonymous_on
FROM sys.remote_service_bindings;
GO
--! rows
--! //MySSB.com/Lab/S_Test | MySSBLabTestQueue | //MySSB.com/Lab/C_Test | //MySSB.com/Lab/M_Test | N | 1 | 1
--! rows
--! Test_MYTARGETSERVER_INST2_1 | User_MYINITIATORSERVER_INST1_SSBSender | //MySSB.com/Lab/S_Test | E7044BCF-CFFF-4526-810B-5A33EB763D0B | TCP://MYINITIATORSERVER:5114
--! rows
--! Test_MYTARGETSERVER_INST2_1 | //MySSB.com/Lab/S_Test | Proxy:User_MYINITIATORSERVER_INST1_SSBSender | 0
