-- sys.dm_os_waiting_tasks: tasks that wait, and for whom.
-- column: waiting_task_address varbinary(8) not null
-- column: session_id smallint
-- column: exec_context_id int
-- column: wait_duration_ms bigint
-- column: wait_type nvarchar(60)
-- column: resource_address varbinary(8)
-- column: blocking_task_address varbinary(8)
-- column: blocking_session_id smallint
-- column: blocking_exec_context_id int
-- column: resource_description nvarchar(3072)
SELECT '\x00\x00\x00\x00\x00\x00\x00\x00'::BLOB AS waiting_task_address, session_id, 0 AS exec_context_id, wait_duration_ms,
    wait_type, NULL AS resource_address, NULL AS blocking_task_address, blocking_session_id, NULL AS blocking_exec_context_id,
    resource_description
FROM live_waiting_tasks ORDER BY session_id
