-- Broker priorities: precedence of the criteria, frozen levels, RECEIVE by priority.
CREATE DATABASE Prio;
GO
USE Prio;
CREATE CONTRACT C ([DEFAULT] SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3;
CREATE SERVICE L ON QUEUE Q1;
CREATE SERVICE R ON QUEUE Q2 (C, [DEFAULT]);
CREATE SERVICE T ON QUEUE Q3 (C, [DEFAULT]);
GO
CREATE PROCEDURE Level @expected varchar(10) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE L TO SERVICE 'R' ON CONTRACT C;
    SELECT @expected, priority FROM sys.conversation_endpoints WHERE conversation_handle = @h;
    END CONVERSATION @h;
END;
GO
-- Precedence: C-L-R, C-L, C-R, C, L-R, L, R, nothing; without any rule 5.
EXEC Level 'none';
CREATE BROKER PRIORITY P0 FOR CONVERSATION SET (PRIORITY_LEVEL = 10);
EXEC Level '***';
CREATE BROKER PRIORITY P1 FOR CONVERSATION SET (REMOTE_SERVICE_NAME = 'R', PRIORITY_LEVEL = 9);
EXEC Level '**R';
CREATE BROKER PRIORITY P2 FOR CONVERSATION SET (LOCAL_SERVICE_NAME = L, PRIORITY_LEVEL = 1);
EXEC Level '*L*';
CREATE BROKER PRIORITY P3 FOR CONVERSATION SET (LOCAL_SERVICE_NAME = L, REMOTE_SERVICE_NAME = N'R', PRIORITY_LEVEL = 2);
EXEC Level '*LR';
CREATE BROKER PRIORITY P4 FOR CONVERSATION SET (CONTRACT_NAME = C, PRIORITY_LEVEL = 3);
EXEC Level 'C**';
CREATE BROKER PRIORITY P5 FOR CONVERSATION SET (CONTRACT_NAME = C, LOCAL_SERVICE_NAME = ANY, REMOTE_SERVICE_NAME = 'R', PRIORITY_LEVEL = 4);
EXEC Level 'C*R';
CREATE BROKER PRIORITY P6 FOR CONVERSATION SET (CONTRACT_NAME = C, LOCAL_SERVICE_NAME = L, PRIORITY_LEVEL = 6);
EXEC Level 'CL*';
CREATE BROKER PRIORITY P7 FOR CONVERSATION SET (CONTRACT_NAME = C, LOCAL_SERVICE_NAME = L, REMOTE_SERVICE_NAME = 'R', PRIORITY_LEVEL = 7);
EXEC Level 'CLR';
GO
--! rows
--! none | 5
--! rows
--! *** | 10
--! rows
--! **R | 9
--! rows
--! *L* | 1
--! rows
--! *LR | 2
--! rows
--! C** | 3
--! rows
--! C*R | 4
--! rows
--! CL* | 6
--! rows
--! CLR | 7
--! spec PRIORITY-2 PRIORITY-12 PRIORITY-13 PRIORITY-14 PRIORITY-15
SELECT p.name, c.name, s.name, p.remote_service_name, p.priority FROM sys.conversation_priorities p
LEFT JOIN sys.service_contracts c ON c.service_contract_id = p.service_contract_id
LEFT JOIN sys.services s ON s.service_id = p.local_service_id ORDER BY p.name;
GO
--! rows
--! P0 | NULL | NULL | NULL | 10
--! P1 | NULL | NULL | R | 9
--! P2 | NULL | L | NULL | 1
--! P3 | NULL | L | R | 2
--! P4 | C | NULL | NULL | 3
--! P5 | C | NULL | R | 4
--! P6 | C | L | NULL | 6
--! P7 | C | L | R | 7
--! spec VIEW-21
-- Errors: same name or same triple 33303, bad level 33302, unknown objects.
CREATE BROKER PRIORITY P0 FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT]);
GO
--! error 33303
--! spec PRIORITY-7
CREATE BROKER PRIORITY P8 FOR CONVERSATION;
GO
--! error 33303
--! spec PRIORITY-8
CREATE BROKER PRIORITY P8 FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT], PRIORITY_LEVEL = 11);
GO
--! error 33302
CREATE BROKER PRIORITY P8 FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT], PRIORITY_LEVEL = 0);
GO
--! error 33302
--! spec PRIORITY-9
CREATE BROKER PRIORITY P8 FOR CONVERSATION SET (CONTRACT_NAME = NoSuch);
GO
--! error 15151
CREATE BROKER PRIORITY P8 FOR CONVERSATION SET (PRIORITY_LEVEL = 1, PRIORITY_LEVEL = 2);
GO
--! error 102
--! spec PRIORITY-6
DROP BROKER PRIORITY NoSuch;
GO
--! error 15151
ALTER BROKER PRIORITY NoSuch FOR CONVERSATION SET (PRIORITY_LEVEL = 1);
GO
--! error 15151
-- ALTER keeps what is not written; running conversations keep their level.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE L TO SERVICE 'R' ON CONTRACT C;
ALTER BROKER PRIORITY P7 FOR CONVERSATION SET (PRIORITY_LEVEL = 8);
SELECT priority FROM sys.conversation_endpoints WHERE conversation_handle = @h;
EXEC Level 'CLR';
ALTER BROKER PRIORITY P7 FOR CONVERSATION SET (PRIORITY_LEVEL = DEFAULT);
EXEC Level 'CLR';
END CONVERSATION @h;
DROP BROKER PRIORITY P0; DROP BROKER PRIORITY P1; DROP BROKER PRIORITY P2; DROP BROKER PRIORITY P3;
DROP BROKER PRIORITY P4; DROP BROKER PRIORITY P5; DROP BROKER PRIORITY P6; DROP BROKER PRIORITY P7;
EXEC Level 'none';
GO
--! rows
--! 7
--! rows
--! CLR | 8
--! rows
--! CLR | 5
--! rows
--! none | 5
--! spec PRIORITY-5 PRIORITY-10 PRIORITY-17 PRIORITY-20
-- Each side is evaluated on its own; RECEIVE takes the group of the highest priority first, whatever came first.
CREATE BROKER PRIORITY TargetHigh FOR CONVERSATION SET (CONTRACT_NAME = C, LOCAL_SERVICE_NAME = T, PRIORITY_LEVEL = 9);
CREATE BROKER PRIORITY TargetLow FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT], LOCAL_SERVICE_NAME = T, REMOTE_SERVICE_NAME = 'L', PRIORITY_LEVEL = 2);
DECLARE @low uniqueidentifier, @high uniqueidentifier;
BEGIN DIALOG @low FROM SERVICE L TO SERVICE 'T' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @low (N'low 1');
SEND ON CONVERSATION @low (N'low 2');
BEGIN DIALOG @high FROM SERVICE L TO SERVICE 'T' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @high (N'high');
SELECT is_initiator, priority FROM sys.conversation_endpoints ORDER BY is_initiator, priority;
RECEIVE TOP (1) priority, CAST(message_body AS nvarchar(10)) FROM Q3;
RECEIVE TOP (1) priority, CAST(message_body AS nvarchar(10)) FROM Q3;
-- A high message that arrives while the low group still has messages goes first.
SEND ON CONVERSATION @high (N'high again');
DECLARE @g uniqueidentifier;
BEGIN TRANSACTION;
GET CONVERSATION GROUP @g FROM Q3;
SELECT DISTINCT priority FROM Q3 WHERE conversation_group_id = @g;
COMMIT;
-- Inside one group: the conversation of the higher priority first, each conversation in order.
DECLARE @gl uniqueidentifier, @th uniqueidentifier;
SELECT @gl = conversation_group_id FROM Q3 WHERE priority = 2;
SELECT @th = conversation_handle FROM Q3 WHERE priority = 9;
MOVE CONVERSATION @th TO @gl;
SEND ON CONVERSATION @low (N'low 3');
RECEIVE priority, CAST(message_body AS nvarchar(10)) FROM Q3;
GO
--! rows
--! 0 | 2
--! 0 | 9
--! 1 | 5
--! 1 | 5
--! rows
--! 9 | high
--! rows
--! 2 | low 1
--! rows
--! 9
--! rows
--! 9 | high again
--! 2 | low 2
--! 2 | low 3
--! spec PRIORITY-16 PRIORITY-18 PRIORITY-21 PRIORITY-23 PRIORITY-24 RECEIVE-33 BATCH-4 BATCH-6 BATCH-7 LEVEL-1 LEVEL-9
-- HONOR_BROKER_PRIORITY is shown; the transmission queue shows the endpoint's level.
ALTER DATABASE Prio SET HONOR_BROKER_PRIORITY ON;
SELECT is_honor_broker_priority_on FROM sys.databases WHERE name = 'Prio';
ALTER DATABASE CURRENT SET HONOR_BROKER_PRIORITY OFF;
SELECT is_honor_broker_priority_on FROM sys.databases WHERE name = 'Prio';
CREATE BROKER PRIORITY Far FOR CONVERSATION SET (REMOTE_SERVICE_NAME = 'Elsewhere', PRIORITY_LEVEL = 8);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE L TO SERVICE 'Elsewhere' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
SELECT priority FROM sys.transmission_queue;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 8
--! spec LEVEL-5
