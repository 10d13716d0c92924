-- sys.dm_os_wait_stats: how often and how long sessions have waited since the instance was opened, by type of wait: those of Service Broker,
-- those of locks and of WAITFOR DELAY. Differs: signal waits are 0.
-- column: wait_type nvarchar(60) not null
-- column: waiting_tasks_count bigint not null
-- column: wait_time_ms bigint not null
-- column: max_wait_time_ms bigint not null
-- column: signal_wait_time_ms bigint not null
SELECT wait_type, waiting_tasks_count, wait_time_ms, max_wait_time_ms, 0 AS signal_wait_time_ms FROM live_wait_stats
