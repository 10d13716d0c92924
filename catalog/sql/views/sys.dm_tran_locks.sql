-- sys.dm_tran_locks: locks that are held or waited for. A row's lock is shown as KEY; resource_associated_entity_id is the object's id.
-- column: resource_type nvarchar(60) not null
-- column: resource_subtype nvarchar(60) not null
-- column: resource_database_id int not null
-- column: resource_description nvarchar(256) not null
-- column: resource_associated_entity_id bigint
-- column: resource_lock_partition int not null
-- column: request_mode nvarchar(60) not null
-- column: request_type nvarchar(60) not null
-- column: request_status nvarchar(60) not null
-- column: request_reference_count smallint not null
-- column: request_lifetime int not null
-- column: request_session_id int not null
-- column: request_exec_context_id int not null
-- column: request_request_id int not null
-- column: request_owner_type nvarchar(60) not null
-- column: request_owner_id bigint
-- column: lock_owner_address varbinary(8) not null
SELECT resource_type, '' AS resource_subtype, database_id AS resource_database_id, description AS resource_description,
    object_id AS resource_associated_entity_id, 0 AS resource_lock_partition, mode AS request_mode, 'LOCK' AS request_type,
    status AS request_status, 1 AS request_reference_count, 0 AS request_lifetime, session_id AS request_session_id,
    0 AS request_exec_context_id, 0 AS request_request_id, owner_type AS request_owner_type, transaction_id AS request_owner_id,
    '\x00\x00\x00\x00\x00\x00\x00\x00'::BLOB AS lock_owner_address
FROM live_locks ORDER BY session_id, object_id
