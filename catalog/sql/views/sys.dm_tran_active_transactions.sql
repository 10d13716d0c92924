-- sys.dm_tran_active_transactions: transactions that are open. transaction_type 1 reads and writes, transaction_state 2 is active.
-- column: transaction_id bigint not null
-- column: name nvarchar(32) not null
-- column: transaction_begin_time datetime not null
-- column: transaction_type int not null
-- column: transaction_uow uniqueidentifier
-- column: transaction_state int not null
-- column: transaction_status int not null
-- column: transaction_status2 int not null
-- column: dtc_state int not null
-- column: dtc_status int not null
-- column: dtc_isolation_level int not null
SELECT transaction_id, name, sbql.at(begin_time) AS transaction_begin_time, 1 AS transaction_type, NULL AS transaction_uow,
    2 AS transaction_state, 0 AS transaction_status, 0 AS transaction_status2, 0 AS dtc_state, 0 AS dtc_status, -1 AS dtc_isolation_level
FROM live_transactions ORDER BY transaction_id
