-- sys.database_mirroring: a row for every database, none of which is mirrored.
-- column: database_id int not null
-- column: mirroring_guid uniqueidentifier
-- column: mirroring_state tinyint
-- column: mirroring_state_desc nvarchar(60)
-- column: mirroring_role tinyint
-- column: mirroring_role_desc nvarchar(60)
-- column: mirroring_role_sequence int
-- column: mirroring_safety_level tinyint
-- column: mirroring_safety_level_desc nvarchar(60)
-- column: mirroring_safety_sequence int
-- column: mirroring_partner_name nvarchar(128)
-- column: mirroring_partner_instance nvarchar(128)
-- column: mirroring_witness_name nvarchar(128)
-- column: mirroring_witness_state tinyint
-- column: mirroring_witness_state_desc nvarchar(60)
-- column: mirroring_failover_lsn numeric(25,0)
-- column: mirroring_connection_timeout int
-- column: mirroring_redo_queue int
-- column: mirroring_redo_queue_type nvarchar(60)
-- column: mirroring_end_of_log_lsn numeric(25,0)
-- column: mirroring_replication_lsn numeric(25,0)
SELECT id AS database_id, NULL AS mirroring_guid, NULL AS mirroring_state, NULL AS mirroring_state_desc, NULL AS mirroring_role,
    NULL AS mirroring_role_desc, NULL AS mirroring_role_sequence, NULL AS mirroring_safety_level, NULL AS mirroring_safety_level_desc,
    NULL AS mirroring_safety_sequence, NULL AS mirroring_partner_name, NULL AS mirroring_partner_instance,
    NULL AS mirroring_witness_name, NULL AS mirroring_witness_state, NULL AS mirroring_witness_state_desc,
    NULL AS mirroring_failover_lsn, NULL AS mirroring_connection_timeout, NULL AS mirroring_redo_queue,
    NULL AS mirroring_redo_queue_type, NULL AS mirroring_end_of_log_lsn, NULL AS mirroring_replication_lsn
FROM catalog_databases
