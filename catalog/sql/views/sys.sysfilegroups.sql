-- sys.sysfilegroups: sys.filegroups as SQL Server 2000 told it.
-- column: groupid smallint
-- column: allocpolicy smallint
-- column: status int
-- column: groupname sysname not null
SELECT data_space_id AS groupid, 0 AS allocpolicy, CASE data_space_id WHEN 1 THEN 16 ELSE 0 END AS status, name AS groupname
FROM catalog_filegroups WHERE database_id = $database_id
