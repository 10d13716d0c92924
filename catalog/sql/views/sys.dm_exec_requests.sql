-- sys.dm_exec_requests: requests that are running now. sql_handle is good as long as the session runs nothing else
-- (sys.dm_exec_sql_text). Differs: what is not measured is 0 or NULL.
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
-- column: context_info varbinary(128)
-- column: percent_complete real not null
-- column: estimated_completion_time bigint not null
-- column: cpu_time int not null
-- column: total_elapsed_time int not null
-- column: scheduler_id int
-- column: task_address varbinary(8)
-- column: reads bigint not null
-- column: writes bigint not null
-- column: logical_reads bigint not null
-- column: text_size int not null
-- column: language nvarchar(128)
-- column: date_format nvarchar(3)
-- column: date_first smallint not null
-- column: quoted_identifier bit not null
-- column: arithabort bit not null
-- column: ansi_null_dflt_on bit not null
-- column: ansi_defaults bit not null
-- column: ansi_warnings bit not null
-- column: ansi_padding bit not null
-- column: ansi_nulls bit not null
-- column: concat_null_yields_null bit not null
-- column: transaction_isolation_level smallint not null
-- column: lock_timeout int not null
-- column: deadlock_priority int not null
-- column: row_count bigint not null
-- column: prev_error int not null
-- column: nest_level int not null
-- column: granted_query_memory int not null
-- column: executing_managed_code bit not null
-- column: group_id int not null
-- column: query_hash binary(8)
-- column: query_plan_hash binary(8)
-- column: statement_sql_handle varbinary(64)
-- column: statement_context_id bigint
-- column: dop int not null
-- column: parallel_worker_count int
-- column: external_script_request_id uniqueidentifier
-- column: is_resumable bit not null
-- column: page_resource binary(8)
-- column: page_server_reads bigint
-- column: dist_statement_id uniqueidentifier
SELECT r.session_id, 0 AS request_id, sbql.at(r.start_time) AS start_time, r.status, r.command,
    from_hex('02' || printf('%08X', r.session_id)) AS sql_handle,
    NULL AS statement_start_offset, NULL AS statement_end_offset, NULL AS plan_handle, r.database_id, 1 AS user_id,
    CASE WHEN s.is_user_process THEN CAST(printf('00000000-0000-0000-0000-%012X', r.session_id) AS UUID) END AS connection_id,
    coalesce(r.blocking_session_id, 0) AS blocking_session_id, r.wait_type, coalesce(r.wait_time, 0) AS wait_time,
    coalesce(r.wait_type, 'MISCELLANEOUS') AS last_wait_type, coalesce(r.wait_resource, '') AS wait_resource,
    r.open_transaction_count, 0 AS open_resultset_count, coalesce(t.transaction_id, 0) AS transaction_id, NULL AS context_info,
    CAST(r.percent_complete AS REAL) AS percent_complete, 0 AS estimated_completion_time, 0 AS cpu_time, r.total_elapsed_time, NULL AS scheduler_id,
    NULL AS task_address, 0 AS reads, 0 AS writes, 0 AS logical_reads, -1 AS text_size, 'us_english' AS language, 'mdy' AS date_format,
    7 AS date_first, true AS quoted_identifier, true AS arithabort, true AS ansi_null_dflt_on, false AS ansi_defaults,
    true AS ansi_warnings, true AS ansi_padding, true AS ansi_nulls, true AS concat_null_yields_null,
    coalesce(s.transaction_isolation_level, 2) AS transaction_isolation_level, coalesce(s.lock_timeout, -1) AS lock_timeout,
    0 AS deadlock_priority, coalesce(s.row_count, 0) AS row_count, 0 AS prev_error, 0 AS nest_level, 0 AS granted_query_memory,
    false AS executing_managed_code, 1 AS group_id, NULL AS query_hash, NULL AS query_plan_hash, NULL AS statement_sql_handle,
    NULL AS statement_context_id, 1 AS dop, NULL AS parallel_worker_count, NULL AS external_script_request_id, false AS is_resumable,
    NULL AS page_resource, NULL AS page_server_reads, NULL AS dist_statement_id
FROM live_requests r LEFT JOIN live_sessions s ON s.session_id = r.session_id
LEFT JOIN (SELECT session_id,
    max(transaction_id) AS transaction_id FROM live_transactions GROUP BY session_id) t ON t.session_id = r.session_id
ORDER BY r.session_id
