-- How sessions wait: sys.dm_os_wait_stats, and the wait type of a session that waits now.
CREATE DATABASE Waits;
GO
USE Waits;
CREATE QUEUE Q;
GO
SELECT wait_type, waiting_tasks_count, wait_time_ms, max_wait_time_ms FROM sys.dm_os_wait_stats WHERE waiting_tasks_count > 0;
WAITFOR (RECEIVE * FROM Q), TIMEOUT 3000;
DECLARE @g uniqueidentifier;
WAITFOR (GET CONVERSATION GROUP @g FROM Q), TIMEOUT 1000;
SELECT wait_type, waiting_tasks_count, wait_time_ms, max_wait_time_ms, signal_wait_time_ms FROM sys.dm_os_wait_stats WHERE waiting_tasks_count > 0;
GO
--! rows
--! rows
--! rows
--! BROKER_RECEIVE_WAITFOR | 2 | 4000 | 3000 | 0
--! spec WAIT-1 WAIT-2 WAITTYPE-8
--! session waiting IN Waits
PRINT 'begins';
WAITFOR (RECEIVE * FROM Q);
GO
--! blocked
--! session main
SELECT r.wait_type, t.wait_type FROM sys.dm_exec_requests r JOIN sys.dm_os_waiting_tasks t ON t.session_id = r.session_id;
-- Since when, and what the session does: the statement that waits is not the first of its batch.
WAITFOR DELAY '00:00:02';
SELECT r.command, r.wait_time, t.wait_duration_ms, r.total_elapsed_time FROM sys.dm_exec_requests r JOIN sys.dm_os_waiting_tasks t ON t.session_id = r.session_id;
SELECT command, DATEDIFF(second, start_time, SYSDATETIME()) FROM sys.dm_exec_requests WHERE session_id = @@SPID;
-- A wait that is not over is not counted yet.
SELECT waiting_tasks_count FROM sys.dm_os_wait_stats WHERE wait_type = 'BROKER_RECEIVE_WAITFOR';
GO
--! rows
--! BROKER_RECEIVE_WAITFOR | BROKER_RECEIVE_WAITFOR
--! rows
--! WAITFOR | 2000 | 2000 | 2000
--! rows
--! SELECT | 2
--! rows
--! 2
DROP QUEUE Q;
GO
--! finishes waiting
--! error 208
