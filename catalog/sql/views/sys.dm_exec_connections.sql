-- sys.dm_exec_connections: a connection for every session that has a client, in this process or over a network.
-- column: session_id int
-- column: most_recent_session_id int
-- column: connect_time datetime not null
-- column: net_transport nvarchar(40) not null
-- column: protocol_type nvarchar(40)
-- column: protocol_version int
-- column: endpoint_id int
-- column: encrypt_option nvarchar(40) not null
-- column: auth_scheme nvarchar(40) not null
-- column: node_affinity smallint not null
-- column: num_reads int
-- column: num_writes int
-- column: last_read datetime
-- column: last_write datetime
-- column: net_packet_size int
-- column: client_net_address varchar(48)
-- column: client_tcp_port int
-- column: local_net_address varchar(48)
-- column: local_tcp_port int
-- column: connection_id uniqueidentifier not null
-- column: parent_connection_id uniqueidentifier
-- column: most_recent_sql_handle varbinary(64)
SELECT session_id, session_id AS most_recent_session_id, sbql.at(login_time) AS connect_time, net_transport,
    'TSQL' AS protocol_type, protocol_version,
    CASE WHEN is_admin THEN 1 WHEN net_transport = 'TCP' THEN 4 ELSE 2 END AS endpoint_id,
    encrypt_option, 'SQL' AS auth_scheme, 0 AS node_affinity, NULL AS num_reads, NULL AS num_writes,
    sbql.at(coalesce(last_request_start_time, login_time)) AS last_read, sbql.at(last_request_end_time) AS last_write,
    net_packet_size, client_net_address, client_tcp_port, local_net_address, local_tcp_port, CAST(printf('00000000-0000-0000-0000-%012X', session_id) AS UUID) AS connection_id,
    NULL AS parent_connection_id, from_hex('02' || printf('%08X', session_id)) AS most_recent_sql_handle
FROM live_sessions WHERE is_user_process ORDER BY session_id
