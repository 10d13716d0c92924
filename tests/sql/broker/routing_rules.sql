-- What matches, what is chosen, and what a message that waits says of it.
CREATE DATABASE Base;
CREATE DATABASE Other;
ALTER DATABASE Base SET TRUSTWORTHY ON;
GO
USE Other;
CREATE QUEUE Q; CREATE SERVICE Elsewhere ON QUEUE Q ([DEFAULT]);
USE Base;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE Start ON QUEUE Q1;
CREATE SERVICE Target ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE Broker (name sysname, id nvarchar(128));
INSERT INTO Broker SELECT name, CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name IN ('Base', 'Other');
INSERT INTO Broker VALUES (N'Nowhere', N'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE');
GO
-- Sends one message and says where it is: in which queue, or why it waits.
CREATE PROCEDURE Try_it @to nvarchar(256), @broker sysname = NULL AS
BEGIN
    DECLARE @h uniqueidentifier, @id nvarchar(128) = (SELECT id FROM Broker WHERE name = @broker);
    IF @id IS NULL BEGIN DIALOG @h FROM SERVICE Start TO SERVICE @to WITH ENCRYPTION = OFF;
    ELSE BEGIN DIALOG @h FROM SERVICE Start TO SERVICE @to, @id WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@to);
    SELECT COALESCE((SELECT 'Q2' FROM Q2 WHERE message_sequence_number = 0), (SELECT 'Other.Q' FROM Other.dbo.Q),
        (SELECT CAST(m.message_id AS varchar(10)) FROM sys.messages m WHERE m.language_id = 1033 AND m.message_id IN (9666, 9793, 9795, 9796)
         AND REPLACE(m.text, '%s', 'Service Broker') = (SELECT transmission_status FROM sys.transmission_queue WHERE conversation_handle = @h)));
    END CONVERSATION @h WITH CLEANUP;
    RECEIVE @h = conversation_handle FROM Q2;
    IF @@ROWCOUNT > 0 END CONVERSATION @h WITH CLEANUP;
    RECEIVE @h = conversation_handle FROM Other.dbo.Q;
END;
GO
CREATE PROCEDURE Route @name sysname, @service nvarchar(256), @broker sysname, @address nvarchar(100), @mirror nvarchar(100) = NULL AS
BEGIN
    DECLARE @sql nvarchar(max) = N'CREATE ROUTE ' + @name + N' WITH ADDRESS = ''' + @address + N'''';
    IF @service IS NOT NULL SET @sql += N', SERVICE_NAME = ''' + @service + N'''';
    IF @broker IS NOT NULL SET @sql += N', BROKER_INSTANCE = ''' + (SELECT id FROM Broker WHERE name = @broker) + N'''';
    IF @mirror IS NOT NULL SET @sql += N', MIRROR_ADDRESS = ''' + @mirror + N'''';
    EXEC (@sql);
END;
GO
-- Only AutoCreatedLocal: any service of this instance, with and without its broker.
EXEC Try_it 'Target'; EXEC Try_it 'Elsewhere'; EXEC Try_it 'Target', 'Base'; EXEC Try_it 'Nothing'; EXEC Try_it 'target';
GO
--! rows
--! Q2
--! rows
--! Other.Q
--! rows
--! Q2
--! rows
--! 9793
--! rows
--! 9793
--! spec MATCH-6 MATCH-8 ROUTE-4 ROUTE-6 ROUTE-30 DELAY-2
-- A route with the service wins over the wildcard, even when it leads away. Names compare byte by byte.
EXEC Route 'Away', 'Target', NULL, 'TCP://far.example.com:4022';
EXEC Try_it 'Target';
EXEC Route 'WrongCase', 'elsewhere', NULL, 'TCP://far.example.com:4022';
EXEC Try_it 'Elsewhere';
GO
--! rows
--! 9666
--! rows
--! Other.Q
--! spec MATCH-3 MATCH-13 CHOICE-5 ROUTE-5 DELAY-6
-- LOCAL before a network address, when the service is here.
EXEC Route 'Near', 'Target', NULL, 'LOCAL';
EXEC Try_it 'Target';
EXEC Route 'GhostFar', 'Ghost', NULL, 'TCP://far.example.com:4022';
EXEC Route 'GhostNear', 'Ghost', NULL, 'LOCAL';
EXEC Try_it 'Ghost';
DROP ROUTE GhostFar;
EXEC Try_it 'Ghost';
GO
--! rows
--! Q2
--! rows
--! 9666
--! rows
--! 9796
--! spec CHOICE-2 CHOICE-3 CHOICE-4 DELAY-3
-- A route with a mirror comes first of all.
EXEC Route 'Mirrored', 'Target', 'Base', 'TCP://one.example.com:4022', 'TCP://two.example.com:4022';
EXEC Route 'NearWithBroker', 'Target', 'Base', 'LOCAL';
EXEC Try_it 'Target', 'Base';
EXEC Try_it 'Target';
DROP ROUTE Mirrored;
EXEC Try_it 'Target', 'Base';
GO
--! rows
--! 9666
--! rows
--! Q2
--! rows
--! Q2
--! spec CHOICE-1
-- With a broker: its own route, then a route without broker, never the route of another broker.
DROP ROUTE NearWithBroker; DROP ROUTE Away; DROP ROUTE Near;
EXEC Route 'Exact', 'Target', 'Base', 'TCP://far.example.com:4022';
EXEC Route 'Wide', 'Target', NULL, 'LOCAL';
EXEC Try_it 'Target', 'Base';
EXEC Try_it 'Target';
DROP ROUTE Exact;
EXEC Try_it 'Target', 'Base';
DROP ROUTE Wide;
EXEC Route 'Strange', 'Target', 'Nowhere', 'TCP://far.example.com:4022';
EXEC Try_it 'Target', 'Base';
EXEC Try_it 'Target';
EXEC Try_it 'Target', 'Nowhere';
DROP ROUTE Strange;
GO
--! rows
--! 9666
--! rows
--! Q2
--! rows
--! Q2
--! rows
--! Q2
--! rows
--! 9666
--! rows
--! 9666
--! spec MATCH-2 MATCH-3 MATCH-4 MATCH-9 MATCH-10 MATCH-11
-- LOCAL with a broker that isn't here, or that doesn't have the service.
EXEC Route 'Absent', 'Target', 'Nowhere', 'LOCAL';
EXEC Try_it 'Target', 'Nowhere';
EXEC Try_it 'Target';
DROP ROUTE Absent;
EXEC Route 'Without', 'Target', 'Other', 'LOCAL';
EXEC Try_it 'Target', 'Other';
DROP ROUTE Without;
GO
--! rows
--! 9795
--! rows
--! 9795
--! rows
--! 9796
--! spec CHOICE-7 CHOICE-8 DELAY-5
-- TRANSPORT takes the address from the service name; the loopback address is as far away as any.
DROP ROUTE AutoCreatedLocal;
EXEC Try_it 'Target';
EXEC Route 'Transport', NULL, NULL, 'TRANSPORT';
EXEC Try_it 'TCP://far.example.com:4022/Service';
EXEC Try_it 'Target';
DROP ROUTE Transport;
EXEC Route 'Loop', 'Target', NULL, 'TCP://localhost:4022';
EXEC Try_it 'Target';
DROP ROUTE Loop;
GO
--! rows
--! 9793
--! rows
--! 9666
--! rows
--! 9793
--! rows
--! 9666
--! spec CHOICE-6 CHOICE-14 ROUTE-3
-- No wildcard: the broker of this instance is found without a route, by its id.
EXEC Try_it 'Target', 'Base';
EXEC Try_it 'Elsewhere', 'Other';
EXEC Try_it 'Elsewhere', 'Base';
GO
--! rows
--! Q2
--! rows
--! Other.Q
--! rows
--! 9793
--! spec MATCH-7
-- The routes of the database that the conversation was begun in count, not those of its target.
USE Other;
DECLARE @h uniqueidentifier;
CREATE SERVICE Asker ON QUEUE Q;
ALTER DATABASE Other SET TRUSTWORTHY ON;
BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'with the routes of Other');
SELECT COUNT(*) FROM Base.dbo.Q2;
USE Base;
ALTER DATABASE Base SET NEW_BROKER;
GO
--! rows
--! 1
--! spec MATCH-1
-- Looked up when it is sent, not when it is begun; waiting messages see what changes; they keep their order.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF;
CREATE ROUTE Late WITH SERVICE_NAME = 'Target', ADDRESS = 'TCP://far.example.com:4022';
SEND ON CONVERSATION @h (N'1'); SEND ON CONVERSATION @h (N'2');
SELECT COUNT(*) FROM sys.transmission_queue;
ALTER ROUTE Late WITH ADDRESS = 'LOCAL';
SEND ON CONVERSATION @h (N'3');
GO
--! rows
--! 2
--! settle
SELECT CAST(message_body AS nvarchar(10)) FROM Q2 ORDER BY queuing_order;
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT '<' + GET_TRANSMISSION_STATUS(conversation_handle) + '>' FROM sys.conversation_endpoints WHERE is_initiator = 1;
GO
--! rows
--! 1
--! 2
--! 3
--! rows
--! 0
--! rows
--! <>
--! spec ROUTE-28 ROUTE-29 DELAY-16 PLACE-1 PLACE-5
-- Dropped while conversations use it: what comes now waits, until another route matches; retries come 4, 8, 16, 32, 64 seconds apart.
DROP ROUTE Late;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'waits');
SELECT CAST(message_body AS nvarchar(10)) FROM sys.transmission_queue;
GO
--! rows
--! waits
--! spec ROUTE-23 PLACE-2 DELAY-1
--! trace Message Classify Delayed
--! advance 3s
--! advance 2s
--! trace Message Classify Delayed
--! advance 6s
--! advance 2s
--! trace Message Classify Delayed
--! advance 15s
--! advance 2s
--! trace Message Classify Delayed
--! advance 30s
--! advance 3s
--! trace Message Classify Delayed
--! advance 62s
--! advance 3s
--! trace Message Classify Delayed
--! advance 61s
--! advance 3s
--! trace Message Classify Delayed
--! spec DELAY-18
CREATE ROUTE Again WITH SERVICE_NAME = 'Target', ADDRESS = 'LOCAL';
GO
--! settle
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! 0
-- The target's queue is OFF: the message waits on the sender's side.
ALTER QUEUE Q2 WITH STATUS = OFF;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'off');
SELECT CAST(message_body AS nvarchar(10)) FROM sys.transmission_queue;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! off
--! spec PLACE-3
-- What the target refuses does not wait: it comes back as an Error message.
CREATE SERVICE NoContract ON QUEUE Q2;
CREATE ROUTE ToNoContract WITH SERVICE_NAME = 'NoContract', ADDRESS = 'LOCAL';
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'NoContract' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'refused');
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'NoContract';
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1 WHERE conversation_handle = @h;
GO
--! rows
--! 0
--! rows
--! -8408
--! spec DELAY-17
-- The peer has ended, or failed, while messages wait: they stay until this side ends too.
DECLARE @e uniqueidentifier, @f uniqueidentifier, @t uniqueidentifier;
ALTER DATABASE Other SET TRUSTWORTHY ON;
CREATE ROUTE ToElsewhere WITH SERVICE_NAME = 'Elsewhere', ADDRESS = 'LOCAL';
BEGIN DIALOG @e FROM SERVICE Start TO SERVICE 'Elsewhere' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @e (N'first');
BEGIN DIALOG @f FROM SERVICE Start TO SERVICE 'Elsewhere' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @f (N'first');
USE Other;
ALTER QUEUE Q WITH STATUS = OFF;
USE Base;
SEND ON CONVERSATION @e (N'kept by END');
SEND ON CONVERSATION @f (N'kept by ERROR');
USE Other;
SELECT @t = t.conversation_handle FROM sys.conversation_endpoints t JOIN Base.sys.conversation_endpoints i ON i.conversation_id = t.conversation_id WHERE i.conversation_handle = @e;
END CONVERSATION @t;
SELECT @t = t.conversation_handle FROM sys.conversation_endpoints t JOIN Base.sys.conversation_endpoints i ON i.conversation_id = t.conversation_id WHERE i.conversation_handle = @f;
END CONVERSATION @t WITH ERROR = 5 DESCRIPTION = N'no';
USE Base;
SELECT CAST(message_body AS nvarchar(20)), (SELECT m.message_id FROM sys.messages m WHERE m.text = transmission_status AND m.language_id = 1033)
FROM sys.transmission_queue WHERE to_service_name = 'Elsewhere' ORDER BY 1;
END CONVERSATION @e;
END CONVERSATION @f;
SELECT COUNT(*) FROM sys.transmission_queue WHERE to_service_name = 'Elsewhere';
GO
--! rows
--! kept by END | 9779
--! kept by ERROR | 9784
--! rows
--! 0
--! spec DELAY-8 DELAY-9
