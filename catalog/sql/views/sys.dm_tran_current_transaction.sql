-- sys.dm_tran_current_transaction: the transaction of the session that asks; no row outside one.
-- column: transaction_id bigint not null
-- column: transaction_sequence_num bigint not null
-- column: transaction_is_snapshot bit not null
-- column: first_snapshot_sequence_num bigint
-- column: last_transaction_sequence_num bigint
-- column: first_useful_sequence_num bigint
SELECT t.transaction_id, t.transaction_id AS transaction_sequence_num, t.is_snapshot AS transaction_is_snapshot,
    NULL AS first_snapshot_sequence_num, NULL AS last_transaction_sequence_num, NULL AS first_useful_sequence_num
FROM live_transactions t JOIN live_self s ON s.session_id = t.session_id
