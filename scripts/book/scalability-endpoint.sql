-- Scalability paper: the endpoint between two servers, authenticated by certificates.
-- The paper lists the steps for the certificates; this script takes those that one instance can take. The endpoint is
-- left stopped (the paper starts it), so that running the script opens no port.

USE master;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
GO
CREATE CERTIFICATE [PE6950-01_SSBReceiver_EP]
    WITH SUBJECT = 'Receiver endpoint', EXPIRY_DATE = '20350101';
GO
CREATE ENDPOINT Endpoint_SRPerf_1
    STATE = STOPPED
    AS TCP (LISTENER_PORT = 5114, LISTENER_IP = ALL)
    FOR SERVICE_BROKER (
        MESSAGE_FORWARDING = DISABLED,
        AUTHENTICATION = CERTIFICATE [PE6950-01_SSBReceiver_EP],
        ENCRYPTION = DISABLED);
GO

SELECT b.name, b.state_desc, t.port, b.connection_auth, c.name AS certificate, b.encryption_algorithm,
       b.is_message_forwarding_enabled
FROM sys.service_broker_endpoints AS b
JOIN sys.tcp_endpoints AS t ON t.endpoint_id = b.endpoint_id
JOIN sys.certificates AS c ON c.certificate_id = b.certificate_id;
GO
--! rows
--! Endpoint_SRPerf_1 | STOPPED | 5114 | 4 | PE6950-01_SSBReceiver_EP | 0 | 0
