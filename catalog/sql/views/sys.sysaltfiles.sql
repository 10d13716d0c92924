-- sys.sysaltfiles: sys.master_files as SQL Server 2000 told it.
-- column: fileid smallint
-- column: groupid smallint
-- column: size int not null
-- column: maxsize int not null
-- column: growth int not null
-- column: status int
-- column: perf int
-- column: dbid smallint
-- column: name sysname not null
-- column: filename nvarchar(260) not null
SELECT file_id AS fileid, 2 - file_id AS groupid, 64 AS size, -1 AS maxsize, 8192 AS growth,
    CASE file_id WHEN 1 THEN 2 ELSE 66 END AS status, 0 AS perf, id AS dbid, logical_name || suffix AS name,
    CASE file_id WHEN 1 THEN file_name ELSE regexp_replace(file_name, '\.[^.]*$', '') || '_log.ldf' END AS filename
FROM catalog_databases, (VALUES (1, 'ROWS', ''), (2, 'LOG', '_log')) AS files(file_id, kind, suffix)
