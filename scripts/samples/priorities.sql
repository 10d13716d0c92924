-- Priorities: let the important conversations go first.

CREATE DATABASE Desk;
GO
USE Desk;
GO
-- Two services on one queue, so their messages stand in one line.
CREATE QUEUE deskQueue;
CREATE SERVICE ordinaryDesk ON QUEUE deskQueue ([DEFAULT]);
CREATE SERVICE urgentDesk ON QUEUE deskQueue ([DEFAULT]);
CREATE QUEUE callerQueue;
CREATE SERVICE caller ON QUEUE callerQueue;
GO

-- Levels go from 1 (last) to 10 (first); without a rule a conversation has 5. A rule is found by contract, local
-- service and remote service as this side sees them, and the most specific one counts.
CREATE BROKER PRIORITY deskUrgent FOR CONVERSATION
    SET (CONTRACT_NAME = [DEFAULT], LOCAL_SERVICE_NAME = urgentDesk, REMOTE_SERVICE_NAME = 'caller', PRIORITY_LEVEL = 9);
CREATE BROKER PRIORITY deskOrdinary FOR CONVERSATION
    SET (LOCAL_SERVICE_NAME = ordinaryDesk, PRIORITY_LEVEL = 2);
GO
SELECT p.name, c.name AS contract, s.name AS local_service, p.remote_service_name, p.priority
FROM sys.conversation_priorities AS p
LEFT JOIN sys.service_contracts AS c ON c.service_contract_id = p.service_contract_id
LEFT JOIN sys.services AS s ON s.service_id = p.local_service_id
ORDER BY p.name;
GO
--! rows
--! deskOrdinary | NULL | ordinaryDesk | NULL | 2
--! deskUrgent | DEFAULT | urgentDesk | caller | 9

DECLARE @ordinary uniqueidentifier, @urgent uniqueidentifier;
BEGIN DIALOG @ordinary FROM SERVICE caller TO SERVICE 'ordinaryDesk';
SEND ON CONVERSATION @ordinary (N'came first');
BEGIN DIALOG @urgent FROM SERVICE caller TO SERVICE 'urgentDesk';
SEND ON CONVERSATION @urgent (N'came second');
GO

-- The level belongs to an endpoint: the caller's side has no rule and stays at 5.
SELECT is_initiator, far_service, priority
FROM sys.conversation_endpoints
ORDER BY is_initiator DESC, priority, far_service;
GO
--! rows
--! 1 | ordinaryDesk | 5
--! 1 | urgentDesk | 5
--! 0 | caller | 2
--! 0 | caller | 9

-- RECEIVE takes the conversation group with the highest level.
RECEIVE TOP (1) service_name, priority, CAST(message_body AS nvarchar(20)) AS body FROM deskQueue;
RECEIVE TOP (1) service_name, priority, CAST(message_body AS nvarchar(20)) AS body FROM deskQueue;
GO
--! rows
--! urgentDesk | 9 | came second
--! rows
--! ordinaryDesk | 2 | came first

-- A changed rule counts for conversations that start afterwards; the running ones keep their level.
ALTER BROKER PRIORITY deskOrdinary FOR CONVERSATION SET (PRIORITY_LEVEL = 10);
GO
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM sys.conversation_endpoints WHERE far_service = N'ordinaryDesk';
SEND ON CONVERSATION @dh (N'old dialog');
BEGIN DIALOG @dh FROM SERVICE caller TO SERVICE 'ordinaryDesk';
SEND ON CONVERSATION @dh (N'new dialog');
GO
SELECT CAST(message_body AS nvarchar(20)) AS body, priority FROM deskQueue ORDER BY priority DESC;
GO
--! rows
--! new dialog | 10
--! old dialog | 2

-- The same rule twice is refused, and a level must be one of the ten.
CREATE BROKER PRIORITY again FOR CONVERSATION SET (LOCAL_SERVICE_NAME = ordinaryDesk, PRIORITY_LEVEL = 3);
GO
--! error 33303

-- Between instances the sending side looks at the level only if its database says so.
ALTER DATABASE Desk SET HONOR_BROKER_PRIORITY ON;
SELECT is_honor_broker_priority_on FROM sys.databases WHERE name = N'Desk';
GO
--! rows
--! 1
