-- sys.dm_exec_requests: requests that are running now. sql_handle is good as long as the session runs nothing else (sys.dm_exec_sql_text).
-- column: session_id smallint not null
-- column: request_id int not null
-- column: start_time datetime not null
-- column: status nvarchar(30) not null
-- column: command nvarchar(32) not null
-- column: sql_handle varbinary(64)
-- column: statement_start_offset int
-- column: statement_end_offset int
-- column: plan_handle varbinary(64)
-- column: database_id smallint not null
-- column: user_id int not null
-- column: connection_id uniqueidentifier
-- column: blocking_session_id smallint
-- column: wait_type nvarchar(60)
-- column: wait_time int not null
-- column: last_wait_type nvarchar(60) not null
-- column: wait_resource nvarchar(256) not null
-- column: open_transaction_count int not null
-- column: open_resultset_count int not null
-- column: transaction_id bigint not null
-- column: percent_complete real not null
-- column: estimated_completion_time bigint not null
-- column: cpu_time int not null
-- column: total_elapsed_time int not null
SELECT session_id, 0 AS request_id, sbql.at(start_time) AS start_time, status, command,
    from_hex('02' || printf('%08X', session_id)) AS sql_handle,
    NULL AS statement_start_offset, NULL AS statement_end_offset, NULL AS plan_handle, database_id, 1 AS user_id,
    NULL AS connection_id, coalesce(blocking_session_id, 0) AS blocking_session_id, wait_type, coalesce(wait_time, 0) AS wait_time,
    coalesce(wait_type, 'MISCELLANEOUS') AS last_wait_type, coalesce(wait_resource, '') AS wait_resource,
    open_transaction_count, 0 AS open_resultset_count, 0 AS transaction_id, 0 AS percent_complete,
    0 AS estimated_completion_time, 0 AS cpu_time, 0 AS total_elapsed_time
FROM live_requests ORDER BY session_id
