-- sys.sysfilegroups: sys.filegroups as SQL Server 2000 told it.
-- column: groupid smallint
-- column: allocpolicy smallint
-- column: status int
-- column: groupname sysname not null
SELECT 1 AS groupid, 0 AS allocpolicy, 16 AS status, 'PRIMARY' AS groupname
