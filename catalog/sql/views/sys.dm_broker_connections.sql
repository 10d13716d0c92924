-- sys.dm_broker_connections: the connections to other instances, those whose login is not over included.
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
SELECT connection_id, connection_id AS transport_stream_id, state, state_desc, sbql.at(connect_time) AS connect_time,
    sbql.at(login_time) AS login_time, authentication_method, principal_name, CASE authentication_method WHEN 'NEGOTIATE' THEN principal_name END AS remote_user_name,
    sbql.at(last_activity_time) AS last_activity_time, is_accept, login_state, login_state_desc, peer_certificate_id,
    encryption_algorithm, encryption_algorithm_desc, 1 AS receives_posted, false AS is_receive_flow_controlled, 0 AS
    sends_posted, is_send_flow_controlled, total_bytes_sent, total_bytes_received, total_fragments_sent,
    total_fragments_received, total_sends, total_receives, peer_arbitration_id
FROM live_broker_connections
