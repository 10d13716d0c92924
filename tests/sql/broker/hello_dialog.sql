-- One dialog from BEGIN to the end of both sides, in one database.
CREATE DATABASE Hello;
GO
USE Hello;
CREATE MESSAGE TYPE [//hello/Request] VALIDATION = NONE;
CREATE MESSAGE TYPE [//hello/Reply] VALIDATION = NONE;
CREATE CONTRACT [//hello/Contract] ([//hello/Request] SENT BY INITIATOR, [//hello/Reply] SENT BY TARGET);
CREATE QUEUE InitiatorQueue;
CREATE QUEUE TargetQueue;
CREATE SERVICE [//hello/Initiator] ON QUEUE InitiatorQueue;
CREATE SERVICE [//hello/Target] ON QUEUE TargetQueue ([//hello/Contract]);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG CONVERSATION @h
    FROM SERVICE [//hello/Initiator] TO SERVICE '//hello/Target'
    ON CONTRACT [//hello/Contract] WITH ENCRYPTION = OFF;
SELECT state, is_initiator, far_service, send_sequence FROM sys.conversation_endpoints;
SEND ON CONVERSATION @h MESSAGE TYPE [//hello/Request] (N'Hello, target');
SELECT @h AS h;
GO
--! rows
--! SO | 1 | //hello/Target | 0
--! rows
--! {initiator}
-- The target endpoint appeared with the first message; both sides converse and share the conversation id.
SELECT e.state, e.is_initiator, e.far_service, s.name
FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id
ORDER BY e.is_initiator DESC;
SELECT COUNT(DISTINCT conversation_id) AS ids, COUNT(DISTINCT conversation_group_id) AS groups FROM sys.conversation_endpoints;
SELECT status, priority, message_sequence_number, service_name, service_contract_name, message_type_name, validation,
       CAST(message_body AS nvarchar(max)) AS body
FROM TargetQueue;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! CO | 1 | //hello/Target | //hello/Initiator
--! CO | 0 | //hello/Initiator | //hello/Target
--! rows
--! 1 | 2
--! rows
--! 1 | 5 | 0 | //hello/Target | //hello/Contract | //hello/Request | N  | Hello, target
--! rows
--! 0
--! spec CHANGE-2 CHANGE-3 GROUP-2 GROUP-4
DECLARE @h uniqueidentifier, @type sysname, @body nvarchar(max);
RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name, @body = message_body FROM TargetQueue;
SELECT @type, @body, @@ROWCOUNT;
SEND ON CONVERSATION @h MESSAGE TYPE [//hello/Reply] (N'Hello, initiator');
END CONVERSATION @h;
GO
--! rows
--! //hello/Request | Hello, target | 1
-- The initiator has the reply and then EndDialog, whose body is NULL; its endpoint is disconnected inbound.
SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 1;
RECEIVE conversation_handle, message_type_name, CAST(message_body AS nvarchar(max)) AS body FROM InitiatorQueue;
GO
--! rows
--! DI
--! rows
--! columns conversation_handle | message_type_name | body
--! {initiator} | //hello/Reply | Hello, initiator
--! {initiator} | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog | NULL
-- After the initiator's END its row is gone at once; the target's stays CLOSED for the security period.
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
END CONVERSATION @h;
SELECT state, is_initiator FROM sys.conversation_endpoints;
GO
--! rows
--! CD | 0
--! advance 31m
SELECT COUNT(*) FROM sys.conversation_endpoints;
SELECT COUNT(*) FROM sys.conversation_groups;
GO
--! rows
--! 0
--! rows
--! 0
