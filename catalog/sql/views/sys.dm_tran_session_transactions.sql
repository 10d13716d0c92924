-- sys.dm_tran_session_transactions: which session has which transaction.
-- column: session_id int not null
-- column: transaction_id bigint not null
-- column: transaction_descriptor binary(8) not null
-- column: enlist_count int not null
-- column: is_user_transaction bit not null
-- column: is_local bit not null
-- column: is_enlisted bit not null
-- column: is_bound bit not null
-- column: open_transaction_count int not null
SELECT session_id, transaction_id, '\x00\x00\x00\x00\x00\x00\x00\x00'::BLOB AS transaction_descriptor, 0 AS enlist_count,
    is_user AS is_user_transaction, true AS is_local, false AS is_enlisted, false AS is_bound, 1 AS open_transaction_count
FROM live_transactions ORDER BY session_id
