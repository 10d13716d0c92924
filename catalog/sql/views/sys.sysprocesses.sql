-- sys.sysprocesses: sessions and their requests as SQL Server 2000 told them, the columns that scripts read.
-- column: spid smallint not null
-- column: kpid smallint not null
-- column: blocked smallint not null
-- column: waittime bigint not null
-- column: lastwaittype nchar(32) not null
-- column: waitresource nchar(256) not null
-- column: dbid smallint not null
-- column: cpu int not null
-- column: login_time datetime not null
-- column: last_batch datetime not null
-- column: open_tran smallint not null
-- column: status nchar(30) not null
-- column: hostname nchar(128) not null
-- column: program_name nchar(128) not null
-- column: cmd nchar(16) not null
-- column: loginame nchar(128) not null
SELECT s.session_id AS spid, 0 AS kpid, coalesce(r.blocking_session_id, 0) AS blocked, coalesce(r.wait_time, 0) AS waittime,
    coalesce(r.wait_type, 'MISCELLANEOUS') AS lastwaittype, coalesce(r.wait_resource, '') AS waitresource, s.database_id AS dbid,
    0 AS cpu, sbql.at(s.login_time) AS login_time, sbql.at(coalesce(s.last_request_start_time, s.login_time)) AS last_batch,
    s.open_transaction_count AS open_tran, s.status, coalesce(s.host_name, '') AS hostname,
    coalesce(s.program_name, '') AS program_name, coalesce(r.command, 'AWAITING COMMAND') AS cmd, s.login_name AS loginame
FROM live_sessions s LEFT JOIN live_requests r ON r.session_id = s.session_id ORDER BY s.session_id
