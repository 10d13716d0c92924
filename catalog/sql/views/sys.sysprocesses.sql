-- sys.sysprocesses: sessions and their requests as SQL Server 2000 told them.
-- column: spid smallint not null
-- column: kpid smallint not null
-- column: blocked smallint not null
-- column: waittype binary(2) not null
-- column: waittime bigint not null
-- column: lastwaittype nchar(32) not null
-- column: waitresource nchar(256) not null
-- column: dbid smallint not null
-- column: uid smallint
-- column: cpu int not null
-- column: physical_io bigint not null
-- column: memusage int not null
-- column: login_time datetime not null
-- column: last_batch datetime not null
-- column: ecid smallint not null
-- column: open_tran smallint not null
-- column: status nchar(30) not null
-- column: sid binary(86) not null
-- column: hostname nchar(128) not null
-- column: program_name nchar(128) not null
-- column: hostprocess nchar(10) not null
-- column: cmd nchar(26) not null
-- column: nt_domain nchar(128) not null
-- column: nt_username nchar(128) not null
-- column: net_address nchar(12) not null
-- column: net_library nchar(12) not null
-- column: loginame nchar(128) not null
-- column: context_info binary(128) not null
-- column: sql_handle binary(20) not null
-- column: stmt_start int not null
-- column: stmt_end int not null
-- column: request_id int not null
SELECT s.session_id AS spid, 0 AS kpid, coalesce(r.blocking_session_id, 0) AS blocked,
    CASE WHEN r.wait_type IS NULL THEN '\x00\x00'::BLOB ELSE '\x00\x01'::BLOB END AS waittype, coalesce(r.wait_time, 0) AS waittime,
    coalesce(r.wait_type, 'MISCELLANEOUS') AS lastwaittype, coalesce(r.wait_resource, '') AS waitresource, s.database_id AS dbid,
    1 AS uid, 0 AS cpu, 0 AS physical_io, 0 AS memusage, sbql.at(s.login_time) AS login_time,
    sbql.at(coalesce(s.last_request_start_time, s.login_time)) AS last_batch, 0 AS ecid, s.open_transaction_count AS open_tran, s.status,
    '\x01'::BLOB AS sid, coalesce(s.host_name, '') AS hostname, coalesce(s.program_name, '') AS program_name, coalesce(CAST(s.host_process_id AS VARCHAR), '') AS hostprocess,
    coalesce(r.command, 'AWAITING COMMAND') AS cmd, '' AS nt_domain, '' AS nt_username, '' AS net_address, CASE WHEN s.net_transport = 'TCP' THEN 'TCP/IP' ELSE 'LPC' END AS net_library,
    s.login_name AS loginame, coalesce(s.context_info, '\x00'::BLOB) AS context_info,
    from_hex('02' || printf('%08X', s.session_id)) AS sql_handle, 0 AS stmt_start, -1 AS stmt_end, 0 AS request_id
FROM live_sessions s LEFT JOIN live_requests r ON r.session_id = s.session_id ORDER BY s.session_id
