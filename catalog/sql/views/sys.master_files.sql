-- sys.master_files: a data and a log file for every database. Differs: names only, everything is in one store file.
-- column: database_id int not null
-- column: file_id int not null
-- column: type tinyint not null
-- column: type_desc nvarchar(60)
-- column: name sysname not null
-- column: physical_name nvarchar(260) not null
-- column: state tinyint
-- column: state_desc nvarchar(60)
-- column: size int not null
-- column: max_size int not null
-- column: growth int not null
-- column: is_read_only bit not null
SELECT id AS database_id, file_id, file_id - 1 AS type, kind AS type_desc, logical_name || suffix AS name,
    CASE file_id WHEN 1 THEN file_name ELSE regexp_replace(file_name, '\.[^.]*$', '') || '_log.ldf' END AS physical_name,
    0 AS state, 'ONLINE' AS state_desc, 1024 AS size, -1 AS max_size, 8192 AS growth, is_read_only
FROM catalog_databases, (VALUES (1, 'ROWS', ''), (2, 'LOG', '_log')) AS files(file_id, kind, suffix)
