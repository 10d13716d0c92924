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
