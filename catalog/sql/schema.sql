-- The internal tables of a store, created once. Statements end with a semicolon at the end of a line.
-- Times are seconds since 1970-01-01 UTC. Columns of the broker tables are the fields of the records, in order.
-- There are no keys or indexes: the fold deletes and inserts by key, and an index would be paid for by every message.
CREATE SCHEMA sbql;
CREATE TABLE sbql.meta (key VARCHAR, value VARCHAR);
CREATE TABLE sbql.journal (lsn BIGINT, record BLOB);
CREATE TABLE sbql.counters (name VARCHAR, value BIGINT);
CREATE TABLE sbql.objects (class VARCHAR, database_id INTEGER, id BIGINT, name VARCHAR, record VARCHAR);
CREATE TABLE sbql.conversation_endpoints (
    conversation_handle UUID, conversation_id UUID, is_initiator BOOLEAN, database_id INTEGER, service_id INTEGER,
    contract_id INTEGER, conversation_group_id UUID, state VARCHAR, far_service VARCHAR, far_broker_instance UUID,
    lifetime DOUBLE, priority UTINYINT, principal_id INTEGER, far_principal_id INTEGER, encryption BOOLEAN,
    send_sequence BIGINT, receive_sequence BIGINT, end_dialog_sequence BIGINT, system_sequence BIGINT,
    security_timestamp DOUBLE, dialog_timer DOUBLE, is_system BOOLEAN, transmission_status VARCHAR,
    contract_name VARCHAR, asked_broker_instance VARCHAR, security VARCHAR, session_key BLOB, outbound_key_id UUID,
    inbound_key_id UUID);
CREATE TABLE sbql.conversation_groups (
    conversation_group_id UUID, database_id INTEGER, service_id INTEGER, is_system BOOLEAN);
CREATE TABLE sbql.messages (
    message_key BIGINT, queue_id INTEGER, database_id INTEGER, status UTINYINT, priority UTINYINT,
    queuing_order BIGINT, conversation_handle UUID, message_sequence_number BIGINT, service_id INTEGER,
    contract_id INTEGER, message_type_id INTEGER, message_type_name VARCHAR, validation VARCHAR, message_body BLOB,
    message_id UUID, message_enqueue_time DOUBLE);
CREATE TABLE sbql.transmission_queue (
    message_key BIGINT, database_id INTEGER, conversation_handle UUID, to_service_name VARCHAR,
    to_broker_instance VARCHAR, from_service_name VARCHAR, service_contract_name VARCHAR, enqueue_time DOUBLE,
    message_sequence_number BIGINT, message_type_name VARCHAR, status INTEGER, message_body BLOB, message_id UUID,
    transmission_status VARCHAR, priority UTINYINT, next_attempt DOUBLE, attempts INTEGER);
-- What the SQL of queues and views reads; a transaction that changed broker state reads an overlay instead.
CREATE VIEW main.broker_conversation_endpoints AS SELECT * FROM sbql.conversation_endpoints;
CREATE VIEW main.broker_conversation_groups AS SELECT * FROM sbql.conversation_groups;
CREATE VIEW main.broker_messages AS SELECT * FROM sbql.messages;
CREATE VIEW main.broker_transmission_queue AS SELECT * FROM sbql.transmission_queue;
-- A time as datetime: rounded to 1/300 s, shown in milliseconds.
CREATE MACRO sbql.at(seconds) AS make_timestamp(CAST(round(round(seconds * 300) * 10 / 3) * 1000 AS BIGINT));
CREATE MACRO sbql.at_or_1900(seconds) AS
    CASE WHEN coalesce(seconds, 0) = 0 THEN TIMESTAMP '1900-01-01' ELSE sbql.at(seconds) END;
-- A whole number as sql_variant, with what it is sorted by (grammar.values.compare).
CREATE MACRO sbql.variant_of(base, number) AS struct_pack(
    sort := '4' || CASE WHEN number < 0
        THEN 'N' || translate(lpad(substr(number::VARCHAR, 2), 39, '0'), '0123456789', '9876543210') || '~'
        ELSE 'P' || lpad(number::VARCHAR, 39, '0') END,
    base := base, "text" := number::VARCHAR);
-- For people with the duckdb command line: columns of datetime2(7) and time(7), which count 100 ns (duck_types).
CREATE MACRO main.datetime2_of(ticks) AS make_timestamp(CAST(ticks // 10 - 62135596800000000 AS BIGINT));
CREATE MACRO main.time_of(ticks) AS CAST(make_timestamp(CAST(ticks // 10 AS BIGINT)) AS TIME);
-- Unqualified names are found in the view's own schema, whatever the file is
-- called: in a file named sbql.duckdb, DuckDB cannot tell schema sbql from database sbql.
USE sbql_store.sbql;
CREATE VIEW queue_messages AS
    SELECT d.name AS database, q.name AS queue, m.queuing_order, m.status, m.priority, s.name AS service,
        m.message_type_name AS message_type, at(m.message_enqueue_time) AS enqueued, m.conversation_handle, m.message_body
    FROM messages m
    LEFT JOIN objects d ON d.class = 'Database' AND d.id = m.database_id
    LEFT JOIN objects q ON q.class = 'Queue' AND q.database_id = m.database_id AND q.id = m.queue_id
    LEFT JOIN objects s ON s.class = 'Service' AND s.database_id = m.database_id AND s.id = m.service_id
    ORDER BY d.name, q.name, m.queuing_order;
USE sbql_store;
INSERT INTO sbql.meta VALUES ('format_version', '2'), ('text_rules', '1');
