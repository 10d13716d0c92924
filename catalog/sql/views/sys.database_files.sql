-- sys.database_files: the data and the log file of the current database. Differs: names only, everything is in one
-- store file.
-- column: file_id int not null
-- column: file_guid uniqueidentifier
-- column: type tinyint not null
-- column: type_desc nvarchar(60)
-- column: data_space_id int not null
-- column: name sysname not null
-- column: physical_name nvarchar(260) not null
-- column: state tinyint
-- column: state_desc nvarchar(60)
-- column: size int not null
-- column: max_size int not null
-- column: growth int not null
-- column: is_media_read_only bit not null
-- column: is_read_only bit not null
-- column: is_sparse bit not null
-- column: is_percent_growth bit not null
-- column: is_name_reserved bit not null
-- column: is_persistent_log_buffer bit not null
-- column: create_lsn numeric(25,0)
-- column: drop_lsn numeric(25,0)
-- column: read_only_lsn numeric(25,0)
-- column: read_write_lsn numeric(25,0)
-- column: differential_base_lsn numeric(25,0)
-- column: differential_base_guid uniqueidentifier
-- column: differential_base_time datetime
-- column: redo_start_lsn numeric(25,0)
-- column: redo_start_fork_guid uniqueidentifier
-- column: redo_target_lsn numeric(25,0)
-- column: redo_target_fork_guid uniqueidentifier
-- column: backup_lsn numeric(25,0)
SELECT file_id, NULL AS file_guid, file_id - 1 AS type, kind AS type_desc,
    CASE file_id WHEN 1 THEN 1 ELSE 0 END AS data_space_id, logical_name || suffix AS name,
    CASE file_id WHEN 1 THEN file_name ELSE regexp_replace(file_name, '\.[^.]*$', '') || '_log.ldf' END AS physical_name,
    0 AS state, 'ONLINE' AS state_desc, 64 AS size, -1 AS max_size, 8192 AS growth, false AS is_media_read_only, is_read_only,
    false AS is_sparse, false AS is_percent_growth, false AS is_name_reserved, false AS is_persistent_log_buffer,
    NULL AS create_lsn, NULL AS drop_lsn, NULL AS read_only_lsn, NULL AS read_write_lsn, NULL AS differential_base_lsn,
    NULL AS differential_base_guid, NULL AS differential_base_time, NULL AS redo_start_lsn, NULL AS redo_start_fork_guid,
    NULL AS redo_target_lsn, NULL AS redo_target_fork_guid, NULL AS backup_lsn
FROM catalog_databases, (VALUES (1, 'ROWS', ''), (2, 'LOG', '_log')) AS files(file_id, kind, suffix)
WHERE id = $database_id
