-- What the views of the engine's memory show: monitors and tasks of queues, waits, traces.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Orders;
CREATE SERVICE Target ON QUEUE Orders ([DEFAULT]);
GO
CREATE PROCEDURE work AS WAITFOR DELAY '00:00:30';
GO
ALTER QUEUE Orders WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.work, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
--! settle
SELECT DB_NAME(database_id), OBJECT_NAME(queue_id), state, last_activated_time, tasks_waiting FROM sys.dm_broker_queue_monitors;
SELECT COUNT(*) FROM sys.dm_broker_activated_tasks;
GO
--! rows
--! Shop | Orders | INACTIVE | * | 0
--! rows
--! 0
--! advance 10s
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Target TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
GO
--! settle
SELECT DB_NAME(m.database_id), OBJECT_NAME(m.queue_id), m.state, m.last_activated_time, m.tasks_waiting FROM sys.dm_broker_queue_monitors m;
SELECT IIF(t.spid = @@SPID, 'mine', 'another'), DB_NAME(t.database_id), OBJECT_NAME(t.queue_id), t.procedure_name, USER_NAME(t.execute_as) FROM sys.dm_broker_activated_tasks t;
GO
--! rows
--! Shop | Orders | NOTIFIED | 2026-01-01 00:00:10.000 | 0
--! rows
--! another | Shop | Orders | [Shop].[dbo].[work] | dbo
--! spec COLUMN-36..43 COLUMN-45..46
