-- sp_who: the sessions: all, those of a login, one by its number, or those that are active.
CREATE PROCEDURE sys.sp_who @loginame sysname = NULL
AS
IF @loginame IS NOT NULL AND LOWER(@loginame) <> N'active' AND LTRIM(RTRIM(@loginame)) LIKE N'%[^0-9]%' AND SUSER_ID(@loginame) IS NULL
BEGIN
    RAISERROR (15007, -1, -1, @loginame);
    RETURN (1);
END;
SELECT CAST(s.session_id AS smallint) AS spid, CAST(0 AS smallint) AS ecid, CAST(s.status AS nvarchar(30)) AS status,
    CAST(s.login_name AS nvarchar(128)) AS loginame, CAST(s.host_name AS nvarchar(128)) AS hostname,
    CAST(COALESCE(r.blocking_session_id, 0) AS varchar(5)) AS blk, CAST(DB_NAME(s.database_id) AS nvarchar(128)) AS dbname,
    CAST(COALESCE(r.command, 'AWAITING COMMAND') AS nvarchar(32)) AS cmd, COALESCE(r.request_id, 0) AS request_id
FROM sys.dm_exec_sessions AS s LEFT JOIN sys.dm_exec_requests AS r ON r.session_id = s.session_id
WHERE @loginame IS NULL OR s.login_name = @loginame OR CAST(s.session_id AS nvarchar(10)) = @loginame
    OR (LOWER(@loginame) = N'active' AND s.status <> N'sleeping')
ORDER BY s.session_id
