-- sp_helpdb: all databases, or one with its files.
CREATE PROCEDURE sys.sp_helpdb @dbname sysname = NULL
AS
IF @dbname IS NOT NULL AND DB_ID(@dbname) IS NULL
BEGIN
    RAISERROR (15010, -1, -1, @dbname);
    RETURN (1);
END;
SELECT d.name, CAST('1.00 MB' AS nvarchar(13)) AS db_size, SUSER_SNAME(d.owner_sid) AS owner, d.database_id AS dbid,
    CONVERT(nvarchar(11), d.create_date, 100) AS created,
    N'Status=' + d.state_desc + N', Updateability=' + IIF(d.is_read_only = 1, N'READ_ONLY', N'READ_WRITE') + N', UserAccess=' + d.user_access_desc
        + N', Recovery=' + d.recovery_model_desc + N', Version=957, Collation=' + d.collation_name
        + N', SQLSortOrder=' + CAST(DATABASEPROPERTYEX(d.name, 'SQLSortOrder') AS nvarchar(5))
        + IIF(d.is_auto_close_on = 1, N', IsAutoClose', N'') + IIF(d.is_auto_create_stats_on = 1, N', IsAutoCreateStatistics', N'')
        + IIF(d.is_auto_update_stats_on = 1, N', IsAutoUpdateStatistics', N'')
        + IIF(d.is_broker_enabled = 1, N', IsBrokerEnabled', N'') AS status, d.compatibility_level
FROM sys.databases AS d WHERE @dbname IS NULL OR d.name = @dbname ORDER BY d.name;
IF @dbname IS NOT NULL
    SELECT f.name, CAST(f.file_id AS smallint) AS fileid, f.physical_name AS filename,
        CASE f.type WHEN 0 THEN 'PRIMARY' END AS filegroup, CAST(f.size * 8 AS nvarchar(15)) + N' KB' AS size,
        CAST(IIF(f.max_size = -1, N'Unlimited', CAST(CAST(f.max_size AS bigint) * 8 AS nvarchar(15)) + N' KB') AS nvarchar(18)) AS maxsize,
        CAST(CAST(CAST(f.growth AS bigint) * 8 AS nvarchar(15)) + N' KB' AS nvarchar(18)) AS growth,
        CASE f.type WHEN 0 THEN 'data only' ELSE 'log only' END AS usage
    FROM sys.master_files AS f WHERE f.database_id = DB_ID(@dbname) ORDER BY f.file_id
