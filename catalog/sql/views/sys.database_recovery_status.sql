-- sys.database_recovery_status: a row for every open database. Differs: log sequence numbers and forks of recovery are
-- NULL.
-- column: database_id int not null
-- column: database_guid uniqueidentifier
-- column: family_guid uniqueidentifier
-- column: last_log_backup_lsn numeric(25,0)
-- column: recovery_fork_guid uniqueidentifier
-- column: first_recovery_fork_guid uniqueidentifier
-- column: fork_point_lsn numeric(25,0)
SELECT id AS database_id, TRY_CAST(family AS UUID) AS database_guid, TRY_CAST(family AS UUID) AS family_guid,
    NULL AS last_log_backup_lsn, NULL AS recovery_fork_guid, NULL AS first_recovery_fork_guid, NULL AS fork_point_lsn
FROM catalog_databases WHERE state = 'ONLINE'
