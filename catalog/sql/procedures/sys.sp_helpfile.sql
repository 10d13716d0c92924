-- sp_helpfile: the files of the database, or one of them.
CREATE PROCEDURE sys.sp_helpfile @filename sysname = NULL
AS
IF @filename IS NOT NULL AND FILE_ID(@filename) IS NULL BEGIN RAISERROR (15325, -1, -1, N'file', @filename); RETURN (1); END;
SELECT f.name, CAST(f.file_id AS smallint) AS fileid, CAST(f.physical_name AS nchar(260)) AS filename,
    CAST(CASE f.type WHEN 0 THEN 'PRIMARY' END AS nvarchar(128)) AS filegroup, CAST(CAST(f.size AS bigint) * 8 AS nvarchar(15)) + N' KB' AS size,
    CAST(CASE f.max_size WHEN -1 THEN N'Unlimited' ELSE CAST(CAST(f.max_size AS bigint) * 8 AS nvarchar(15)) + N' KB' END AS nvarchar(18)) AS maxsize,
    CAST(CAST(CAST(f.growth AS bigint) * 8 AS nvarchar(15)) + N' KB' AS nvarchar(18)) AS growth,
    CAST(CASE f.type WHEN 0 THEN 'data only' ELSE 'log only' END AS varchar(9)) AS usage
FROM sys.database_files AS f WHERE @filename IS NULL OR f.name = @filename ORDER BY f.file_id
