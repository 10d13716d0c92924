-- sp_helpfilegroup: the filegroups of the database, or one with its files.
CREATE PROCEDURE sys.sp_helpfilegroup @filegroupname sysname = NULL
AS
SELECT g.name AS groupname, CAST(g.data_space_id AS smallint) AS groupid,
    (SELECT COUNT(*) FROM sys.database_files AS f WHERE f.data_space_id = g.data_space_id) AS filecount
FROM sys.filegroups AS g WHERE @filegroupname IS NULL OR g.name = @filegroupname ORDER BY g.data_space_id;
IF @filegroupname IS NOT NULL
    SELECT f.name AS file_in_group, CAST(f.file_id AS smallint) AS fileid, CAST(f.physical_name AS nchar(260)) AS filename,
        CAST(CAST(f.size AS bigint) * 8 AS nvarchar(15)) + N' KB' AS size,
        CAST(CASE f.max_size WHEN -1 THEN N'Unlimited' ELSE CAST(CAST(f.max_size AS bigint) * 8 AS nvarchar(15)) + N' KB' END AS nvarchar(18)) AS maxsize,
        CAST(CAST(CAST(f.growth AS bigint) * 8 AS nvarchar(15)) + N' KB' AS nvarchar(18)) AS growth
    FROM sys.database_files AS f JOIN sys.filegroups AS g ON g.data_space_id = f.data_space_id WHERE g.name = @filegroupname
