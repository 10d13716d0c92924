-- The tables of monologs. Run at every opening: a store that was made before there were monologs gets them then.
CREATE TABLE IF NOT EXISTS sbql.monolog_members (
    conversation_handle UUID, database_id INTEGER, role VARCHAR, monolog_id UUID, publisher_handle UUID,
    subscription_handle UUID, start_sequence BIGINT, retention DOUBLE);
CREATE TABLE IF NOT EXISTS sbql.monolog_messages (
    message_key BIGINT, database_id INTEGER, conversation_handle UUID, message_sequence_number BIGINT,
    message_type_name VARCHAR, message_body BLOB, message_id UUID, enqueue_time DOUBLE);
CREATE VIEW IF NOT EXISTS main.broker_monolog_members AS SELECT * FROM sbql.monolog_members;
CREATE VIEW IF NOT EXISTS main.broker_monolog_messages AS SELECT * FROM sbql.monolog_messages;
