-- sp_helpserver: this server.
CREATE PROCEDURE sys.sp_helpserver @server sysname = NULL, @optname varchar(35) = NULL, @show_topology varchar(1) = NULL
AS
IF @server IS NOT NULL AND NOT EXISTS (SELECT * FROM sys.servers WHERE name = @server)
BEGIN
    RAISERROR (15015, -1, -1, @server);
    RETURN (1);
END;
SELECT s.name, CAST(s.name AS char(30)) AS network_name, CAST('rpc,rpc out,use remote collation' AS varchar(70)) AS status,
    CAST(s.server_id AS char(4)) AS id, s.collation_name, s.connect_timeout, s.query_timeout
FROM sys.servers AS s WHERE @server IS NULL OR s.name = @server
