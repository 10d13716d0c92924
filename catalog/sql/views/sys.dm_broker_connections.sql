-- sys.dm_broker_connections: empty: no connection to another instance is open.
-- column: connection_id uniqueidentifier
-- column: transport_stream_id uniqueidentifier
-- column: state smallint
-- column: state_desc nvarchar(60)
-- column: connect_time datetime
-- column: login_time datetime
-- column: authentication_method nvarchar(128)
-- column: principal_name nvarchar(128)
-- column: remote_user_name nvarchar(128)
-- column: last_activity_time datetime
-- column: is_accept bit
-- column: login_state smallint
-- column: login_state_desc nvarchar(60)
-- column: peer_certificate_id int
-- column: encryption_algorithm smallint
-- column: encryption_algorithm_desc nvarchar(60)
-- column: receives_posted smallint
-- column: is_receive_flow_controlled bit
-- column: sends_posted smallint
-- column: is_send_flow_controlled bit
-- column: total_bytes_sent bigint
-- column: total_bytes_received bigint
-- column: total_fragments_sent bigint
-- column: total_fragments_received bigint
-- column: total_sends bigint
-- column: total_receives bigint
-- column: peer_arbitration_id uniqueidentifier
SELECT NULL AS connection_id, NULL AS transport_stream_id, NULL AS state, NULL AS state_desc, NULL AS connect_time,
    NULL AS login_time, NULL AS authentication_method, NULL AS principal_name, NULL AS remote_user_name, NULL AS
    last_activity_time, NULL AS is_accept, NULL AS login_state, NULL AS login_state_desc, NULL AS
    peer_certificate_id, NULL AS encryption_algorithm, NULL AS encryption_algorithm_desc, NULL AS receives_posted,
    NULL AS is_receive_flow_controlled, NULL AS sends_posted, NULL AS is_send_flow_controlled, NULL AS
    total_bytes_sent, NULL AS total_bytes_received, NULL AS total_fragments_sent, NULL AS total_fragments_received,
    NULL AS total_sends, NULL AS total_receives, NULL AS peer_arbitration_id
WHERE false
