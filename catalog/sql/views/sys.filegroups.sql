-- sys.filegroups: the filegroups of the current database. Differs: nothing lies in them, and PRIMARY is the default.
-- column: name sysname not null
-- column: data_space_id int not null
-- column: type char(2) not null
-- column: type_desc nvarchar(60)
-- column: is_default bit
-- column: is_system bit
-- column: filegroup_guid uniqueidentifier
-- column: log_filegroup_id int
-- column: is_read_only bit
-- column: is_autogrow_all_files bit
SELECT name, data_space_id, 'FG' AS type, 'ROWS_FILEGROUP' AS type_desc, data_space_id = 1 AS is_default, false AS is_system,
    NULL AS filegroup_guid, NULL AS log_filegroup_id, false AS is_read_only, false AS is_autogrow_all_files
FROM catalog_filegroups WHERE database_id = $database_id
