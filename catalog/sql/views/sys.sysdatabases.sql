-- sys.sysdatabases: sys.databases as SQL Server 2000 told it.
-- column: name sysname not null
-- column: dbid smallint
-- column: sid varbinary(85)
-- column: mode smallint
-- column: status int
-- column: status2 int
-- column: crdate datetime not null
-- column: reserved datetime
-- column: category int
-- column: cmptlevel tinyint not null
-- column: filename nvarchar(260)
-- column: version smallint
SELECT name, id AS dbid, owner_sid AS sid, 0 AS mode,
    65536 + CASE recovery_model WHEN 'SIMPLE' THEN 8 WHEN 'BULK_LOGGED' THEN 4 ELSE 0 END + CASE WHEN is_read_only THEN 1024 ELSE 0 END
        + CASE user_access WHEN 'SINGLE_USER' THEN 4096 WHEN 'RESTRICTED_USER' THEN 2048 ELSE 0 END
        + CASE state WHEN 'OFFLINE' THEN 512 ELSE 0 END AS status, 1627389952 AS status2,
    sbql.at(CASE WHEN id = 2 THEN (SELECT start_time FROM live_server) ELSE create_date END) AS crdate, TIMESTAMP '1900-01-01' AS reserved, 0 AS category, compatibility_level AS cmptlevel,
    file_name AS filename, 957 AS version
FROM catalog_databases ORDER BY id
