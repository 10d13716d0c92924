-- sys.dm_broker_queue_monitors: a row for every queue that activation, or a notification instead of it, watches.
-- column: database_id int
-- column: queue_id int
-- column: state nvarchar(32)
-- column: last_empty_rowset_time datetime
-- column: last_activated_time datetime
-- column: tasks_waiting int
SELECT database_id, queue_id, state, sbql.at_or_1900(last_empty_rowset_time) AS last_empty_rowset_time,
    sbql.at_or_1900(last_activated_time) AS last_activated_time, tasks_waiting
FROM live_queue_monitors
