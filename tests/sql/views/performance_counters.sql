-- sys.dm_os_performance_counters: what the broker counts.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Q;
CREATE SERVICE A ON QUEUE Q;
CREATE QUEUE R;
CREATE SERVICE B ON QUEUE R ([DEFAULT]);
GO
CREATE VIEW Counted AS
SELECT RTRIM(object_name) AS object, RTRIM(counter_name) AS counter, RTRIM(instance_name) AS instance, cntr_value, cntr_type
FROM sys.dm_os_performance_counters WHERE cntr_value <> 0;
GO
SELECT * FROM Counted;
SELECT DISTINCT RTRIM(object_name) FROM sys.dm_os_performance_counters ORDER BY 1;
GO
--! rows
--! rows
--! SQLServer:Broker Activation
--! SQLServer:Broker Statistics
--! SQLServer:Broker TO Statistics
--! SQLServer:Broker/DBM Transport

-- Two messages and the EndDialog message, of which one SEND is rolled back; one waits in the transmission queue; one is received.
DECLARE @h uniqueidentifier, @late uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
BEGIN TRANSACTION;
SEND ON CONVERSATION @h (N'undone');
ROLLBACK;
SEND ON CONVERSATION @h (N'two');
END CONVERSATION @h;
BEGIN DIALOG @late FROM SERVICE A TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @late (N'three');
RECEIVE TOP (1) message_type_name FROM R;
SELECT * FROM Counted ORDER BY object, counter;
GO
--! rows
--! DEFAULT
--! rows
--! SQLServer:Broker Statistics | Broker Transaction Rollbacks |  | 1 | 65792
--! SQLServer:Broker Statistics | Dialog Timer Event Count |  | 3 | 65792
--! SQLServer:Broker Statistics | Enqueued Local Messages Total |  | 3 | 65792
--! SQLServer:Broker Statistics | Enqueued Local Messages/sec |  | 3 | 272696576
--! SQLServer:Broker Statistics | Enqueued Messages Total |  | 3 | 65792
--! SQLServer:Broker Statistics | Enqueued Messages/sec |  | 3 | 272696576
--! SQLServer:Broker Statistics | Enqueued P5 Messages/sec |  | 3 | 272696576
--! SQLServer:Broker Statistics | Enqueued TransmissionQ Msgs/sec |  | 1 | 272696576
--! SQLServer:Broker Statistics | SQL RECEIVE Total |  | 1 | 65792
--! SQLServer:Broker Statistics | SQL RECEIVEs/sec |  | 1 | 272696576
--! SQLServer:Broker Statistics | SQL SEND Total |  | 4 | 65792
--! SQLServer:Broker Statistics | SQL SENDs/sec |  | 4 | 272696576
--! spec COUNT-6 COUNT-7 COUNT-8 COUNT-12 COUNT-13 COUNT-14
--! spec COUNTER-8 COUNTER-11 COUNTER-13..16 COUNTER-21 COUNTER-27 COUNTER-40..43

-- Activation by database and in all; a procedure that does not receive is aborted (28087).
CREATE PROCEDURE Idle AS PRINT 'nothing';
GO
ALTER QUEUE R WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Idle, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
--! settle
SELECT counter, instance, cntr_value, cntr_type FROM Counted WHERE object LIKE '%Activation' ORDER BY instance, counter;
SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Activation Errors Total';
GO
--! rows
--! Stored Procedures Invoked/sec | _Total | 1 | 272696576
--! Tasks Aborted/sec | _Total | 1 | 272696576
--! Tasks Started/sec | _Total | 1 | 272696576
--! Stored Procedures Invoked/sec | Shop | 1 | 272696576
--! Tasks Aborted/sec | Shop | 1 | 272696576
--! Tasks Started/sec | Shop | 1 | 272696576
--! rows
--! 1
--! spec COUNT-1 COUNT-2 COUNT-4 TASK-14 COUNTER-1 COUNTER-4 COUNTER-6 COUNTER-7

-- A task that runs, and a second one that the queue had work for.
CREATE PROCEDURE Waits AS
BEGIN
    DECLARE @h uniqueidentifier;
    WAITFOR (RECEIVE TOP (1) @h = conversation_handle FROM R), TIMEOUT 20000;
    WAITFOR DELAY '00:00:20';
END;
GO
ALTER QUEUE R WITH ACTIVATION (STATUS = OFF);
ALTER QUEUE R WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Waits, MAX_QUEUE_READERS = 1);
GO
--! advance 6s
SELECT counter, instance, cntr_value FROM Counted WHERE counter = 'Tasks Running';
SELECT DISTINCT counter, instance FROM Counted WHERE counter LIKE 'Task Limit%';
SELECT COUNT(*) FROM Counted WHERE counter LIKE 'Task Limit%' AND cntr_value < 1;
GO
--! rows
--! Tasks Running | _Total | 1
--! Tasks Running | Shop | 1
--! rows unordered
--! Task Limit Reached | _Total
--! Task Limit Reached | Shop
--! Task Limit Reached/sec | _Total
--! Task Limit Reached/sec | Shop
--! rows
--! 0
--! spec MONITOR-16
--! spec COUNT-3 COUNT-5 COUNTER-2 COUNTER-3 COUNTER-5

-- Levels; into the transmission queue and out of it.
CREATE BROKER PRIORITY Any_level FOR CONVERSATION SET (LOCAL_SERVICE_NAME = B, PRIORITY_LEVEL = 1);
DECLARE @level int = 1, @h uniqueidentifier, @set nvarchar(200);
WHILE @level <= 10
BEGIN
    SET @set = CONCAT(N'ALTER BROKER PRIORITY Any_level FOR CONVERSATION SET (PRIORITY_LEVEL = ', @level, N')');
    EXEC (@set);
    BEGIN DIALOG @h FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'as many as the level');
    DECLARE @more int = 1;
    WHILE @more < @level BEGIN SEND ON CONVERSATION @h (N'one more'); SET @more += 1 END;
    SET @level += 1;
END;
SELECT counter, cntr_value FROM Counted WHERE counter LIKE 'Enqueued P%' ORDER BY LEN(counter), counter;
SELECT counter, cntr_value FROM Counted WHERE counter LIKE '%TransmissionQ%';
CREATE SERVICE Nobody ON QUEUE Q ([DEFAULT]);
GO
--! rows
--! Enqueued P1 Messages/sec | 1
--! Enqueued P2 Messages/sec | 2
--! Enqueued P3 Messages/sec | 3
--! Enqueued P4 Messages/sec | 4
--! Enqueued P5 Messages/sec | 8
--! Enqueued P6 Messages/sec | 6
--! Enqueued P7 Messages/sec | 7
--! Enqueued P8 Messages/sec | 8
--! Enqueued P9 Messages/sec | 9
--! Enqueued P10 Messages/sec | 10
--! rows
--! Enqueued TransmissionQ Msgs/sec | 1
--! advance 90s
SELECT counter, cntr_value FROM Counted WHERE counter LIKE '%TransmissionQ%' ORDER BY counter;
GO
--! rows
--! Dequeued TransmissionQ Msgs/sec | 1
--! Enqueued TransmissionQ Msgs/sec | 1
--! spec COUNT-9 COUNT-10 COUNTER-10 COUNTER-17..26
