-- sp_who2: the sessions with what they do: all, those of a login, one by its number, or those that are active.
CREATE PROCEDURE sys.sp_who2 @loginame sysname = NULL
AS
IF @loginame IS NOT NULL AND LOWER(@loginame) <> N'active' AND LTRIM(RTRIM(@loginame)) LIKE N'%[^0-9]%' AND SUSER_ID(@loginame) IS NULL
BEGIN
    RAISERROR (15007, -1, -1, @loginame);
    RETURN (1);
END;
SELECT CAST(s.session_id AS char(5)) AS SPID, UPPER(s.status) AS Status, s.login_name AS Login, s.host_name AS HostName,
    CASE WHEN COALESCE(r.blocking_session_id, 0) = 0 THEN '  .' ELSE CAST(r.blocking_session_id AS varchar(5)) END AS BlkBy,
    DB_NAME(s.database_id) AS DBName, COALESCE(r.command, 'AWAITING COMMAND') AS Command, s.cpu_time AS CPUTime, 0 AS DiskIO,
    CONVERT(varchar(5), s.last_request_start_time, 101) + ' ' + CONVERT(varchar(8), s.last_request_start_time, 108) AS LastBatch, s.program_name AS ProgramName,
    CAST(s.session_id AS char(5)) AS SPID, COALESCE(r.request_id, 0) AS REQUESTID
FROM sys.dm_exec_sessions AS s LEFT JOIN sys.dm_exec_requests AS r ON r.session_id = s.session_id
WHERE @loginame IS NULL OR s.login_name = @loginame OR CAST(s.session_id AS nvarchar(10)) = @loginame
    OR (LOWER(@loginame) = N'active' AND s.status <> N'sleeping')
ORDER BY s.session_id
