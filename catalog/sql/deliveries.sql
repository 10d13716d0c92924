-- The tables of consumers and writers. Run at every opening: a store that was made before there were any gets them then.
CREATE TABLE IF NOT EXISTS sbql.consumers (
    log_id UUID, database_id INTEGER, queue_id INTEGER, name VARCHAR, epoch BIGINT, acknowledged BIGINT, delivered BIGINT,
    failures INTEGER, asked_epoch BIGINT, attach_time DOUBLE);
CREATE TABLE IF NOT EXISTS sbql.deliveries (
    log_id UUID, first_sequence BIGINT, database_id INTEGER, conversation_handle UUID, conversation_group_id UUID,
    first_key BIGINT, last_key BIGINT, count BIGINT, delivery_time DOUBLE, is_urgent BOOLEAN);
CREATE TABLE IF NOT EXISTS sbql.sent_batches (database_id INTEGER, writer VARCHAR, version BIGINT, commit_time DOUBLE);
CREATE TABLE IF NOT EXISTS sbql.sink_dialogs (
    database_id INTEGER, writer VARCHAR, dialog_key VARCHAR, conversation_handle UUID);
CREATE TABLE IF NOT EXISTS sbql.answered_requests (
    database_id INTEGER, name VARCHAR, text_hash BLOB, request_time DOUBLE, answer BLOB);
CREATE TABLE IF NOT EXISTS sbql.query_subscriptions (
    id INTEGER, database_id INTEGER, sid BLOB, principal_id INTEGER, service VARCHAR, broker_instance VARCHAR, message BLOB,
    timeout BIGINT, create_time DOUBLE);
-- Messages that are delivered and not acknowledged. Types 1 and 5 (Error, DialogTimer) are ranges of their own.
CREATE VIEW IF NOT EXISTS main.held_messages AS
    SELECT d.log_id, d.first_sequence, m.*
    FROM sbql.deliveries d JOIN sbql.messages m
        ON m.conversation_handle = d.conversation_handle AND m.database_id = d.database_id
            AND m.message_key BETWEEN d.first_key AND d.last_key
    WHERE m.status = 1 AND (d.is_urgent OR m.message_type_id NOT IN (1, 5));
