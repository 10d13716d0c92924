-- sys.dm_exec_sessions: sessions of the instance, those of activated procedures included.
-- column: session_id smallint not null
-- column: login_time datetime not null
-- column: host_name nvarchar(128)
-- column: program_name nvarchar(128)
-- column: host_process_id int
-- column: client_version int
-- column: client_interface_name nvarchar(32)
-- column: security_id varbinary(85) not null
-- column: login_name nvarchar(128) not null
-- column: nt_domain nvarchar(128)
-- column: nt_user_name nvarchar(128)
-- column: status nvarchar(30) not null
-- column: context_info varbinary(128)
-- column: cpu_time int not null
-- column: memory_usage int not null
-- column: total_scheduled_time int not null
-- column: total_elapsed_time int not null
-- column: endpoint_id int not null
-- column: last_request_start_time datetime not null
-- column: last_request_end_time datetime
-- column: reads bigint not null
-- column: writes bigint not null
-- column: logical_reads bigint not null
-- column: is_user_process bit not null
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
-- column: original_security_id varbinary(85) not null
-- column: original_login_name nvarchar(128) not null
-- column: database_id smallint not null
-- column: open_transaction_count int not null
SELECT session_id, sbql.at(login_time) AS login_time, host_name, program_name, host_process_id, client_version, client_interface_name,
    '\x01'::BLOB AS security_id, login_name, NULL AS nt_domain, NULL AS nt_user_name, status,
    context_info, 0 AS cpu_time, 0 AS memory_usage, 0 AS total_scheduled_time, 0 AS total_elapsed_time,
    CASE WHEN is_admin THEN 1 WHEN net_transport = 'TCP' THEN 4 ELSE 2 END AS endpoint_id,
    sbql.at(coalesce(last_request_start_time, login_time)) AS last_request_start_time,
    sbql.at(last_request_end_time) AS last_request_end_time, 0 AS reads, 0 AS writes, 0 AS logical_reads, is_user_process,
    text_size, language, date_format, date_first, quoted_identifier,
    arithabort, ansi_null_dflt_on, false AS ansi_defaults, ansi_warnings, ansi_padding,
    ansi_nulls, concat_null_yields_null, coalesce(transaction_isolation_level, 2) AS transaction_isolation_level,
    coalesce(lock_timeout, -1) AS lock_timeout, deadlock_priority, coalesce(row_count, 0) AS row_count, prev_error,
    '\x01'::BLOB AS original_security_id, original_login_name, database_id, open_transaction_count
FROM live_sessions ORDER BY session_id
