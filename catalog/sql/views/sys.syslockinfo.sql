-- sys.syslockinfo: sys.dm_tran_locks as SQL Server 2000 told it.
-- column: rsc_text nchar(32) not null
-- column: rsc_bin binary(16) not null
-- column: rsc_valblk binary(16) not null
-- column: rsc_dbid smallint not null
-- column: rsc_indid smallint not null
-- column: rsc_objid int not null
-- column: rsc_type tinyint not null
-- column: rsc_flag tinyint not null
-- column: req_mode tinyint not null
-- column: req_status tinyint not null
-- column: req_refcnt smallint not null
-- column: req_cryrefcnt smallint not null
-- column: req_lifetime int not null
-- column: req_spid int not null
-- column: req_ecid int not null
-- column: req_ownertype smallint not null
-- column: req_transactionID bigint
-- column: req_transactionUOW uniqueidentifier
SELECT left(description, 32) AS rsc_text, '\x00'::BLOB AS rsc_bin, '\x00'::BLOB AS rsc_valblk, database_id AS rsc_dbid,
    CASE resource_type WHEN 'KEY' THEN 1 ELSE 0 END AS rsc_indid, object_id AS rsc_objid,
    CASE resource_type WHEN 'OBJECT' THEN 5 WHEN 'KEY' THEN 7 WHEN 'APPLICATION' THEN 10 ELSE 2 END AS rsc_type, 0 AS rsc_flag,
    CASE mode WHEN 'S' THEN 4 WHEN 'U' THEN 5 WHEN 'X' THEN 6 WHEN 'IS' THEN 7 WHEN 'IU' THEN 8 WHEN 'IX' THEN 9 ELSE 6 END AS req_mode,
    CASE status WHEN 'GRANT' THEN 1 ELSE 3 END AS req_status, 1 AS req_refcnt, 0 AS req_cryrefcnt, 0 AS req_lifetime,
    session_id AS req_spid, 0 AS req_ecid, CASE owner_type WHEN 'SESSION' THEN 3 ELSE 1 END AS req_ownertype,
    transaction_id AS req_transactionID, NULL AS req_transactionUOW
FROM live_locks
