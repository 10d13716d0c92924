-- What a restored database brings with it has been enqueued before: no counter of the instance counts it again.
CREATE DATABASE Kept;
GO
USE Kept;
CREATE QUEUE Q; CREATE QUEUE R;
CREATE SERVICE A ON QUEUE Q ([DEFAULT]); CREATE SERVICE B ON QUEUE R ([DEFAULT]);
GO
CREATE VIEW Counted AS SELECT RTRIM(counter_name) AS counter, cntr_value FROM sys.dm_os_performance_counters
WHERE counter_name IN ('Enqueued Messages/sec', 'Enqueued TransmissionQ Msgs/sec', 'Enqueued P5 Messages/sec');
GO
DECLARE @here uniqueidentifier, @nowhere uniqueidentifier;
BEGIN DIALOG @here FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF;
BEGIN DIALOG @nowhere FROM SERVICE A TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @here (N'1'); SEND ON CONVERSATION @here (N'2');
SEND ON CONVERSATION @nowhere (N'3');
SELECT * FROM Counted ORDER BY counter;
BACKUP DATABASE Kept TO DISK = 'kept.bak' WITH FORMAT;
USE master;
RESTORE DATABASE Kept FROM DISK = 'kept.bak' WITH REPLACE, ENABLE_BROKER;
GO
--! rows
--! Enqueued Messages/sec | 2
--! Enqueued P5 Messages/sec | 2
--! Enqueued TransmissionQ Msgs/sec | 1
USE Kept;
SELECT (SELECT COUNT(*) FROM R) AS ready, (SELECT COUNT(*) FROM sys.transmission_queue) AS waiting;
SELECT * FROM Counted ORDER BY counter;
GO
--! rows
--! 2 | 1
--! rows
--! Enqueued Messages/sec | 2
--! Enqueued P5 Messages/sec | 2
--! Enqueued TransmissionQ Msgs/sec | 1
