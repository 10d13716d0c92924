-- sys.dm_tran_database_transactions: transactions in their database. Differs: there are no log records to count here,
-- and no log sequence numbers.
-- column: transaction_id bigint not null
-- column: database_id int not null
-- column: database_transaction_begin_time datetime
-- column: database_transaction_type int not null
-- column: database_transaction_state int not null
-- column: database_transaction_status int not null
-- column: database_transaction_status2 int not null
-- column: database_transaction_log_record_count bigint not null
-- column: database_transaction_replicate_record_count int not null
-- column: database_transaction_log_bytes_used bigint not null
-- column: database_transaction_log_bytes_reserved bigint not null
-- column: database_transaction_log_bytes_used_system int not null
-- column: database_transaction_log_bytes_reserved_system int not null
-- column: database_transaction_begin_lsn numeric(25,0)
-- column: database_transaction_last_lsn numeric(25,0)
-- column: database_transaction_most_recent_savepoint_lsn numeric(25,0)
-- column: database_transaction_commit_lsn numeric(25,0)
-- column: database_transaction_last_rollback_lsn numeric(25,0)
-- column: database_transaction_next_undo_lsn numeric(25,0)
SELECT t.transaction_id, s.database_id, sbql.at(t.begin_time) AS database_transaction_begin_time, 1 AS database_transaction_type,
    4 AS database_transaction_state, 0 AS database_transaction_status, 0 AS database_transaction_status2,
    0 AS database_transaction_log_record_count, 0 AS database_transaction_replicate_record_count,
    0 AS database_transaction_log_bytes_used, 0 AS database_transaction_log_bytes_reserved,
    0 AS database_transaction_log_bytes_used_system, 0 AS database_transaction_log_bytes_reserved_system,
    NULL AS database_transaction_begin_lsn, NULL AS database_transaction_last_lsn,
    NULL AS database_transaction_most_recent_savepoint_lsn, NULL AS database_transaction_commit_lsn,
    NULL AS database_transaction_last_rollback_lsn, NULL AS database_transaction_next_undo_lsn
FROM live_transactions t JOIN live_sessions s ON s.session_id = t.session_id
