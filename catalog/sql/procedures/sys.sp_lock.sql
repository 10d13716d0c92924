-- sp_lock: what sessions hold now.
CREATE PROCEDURE sys.sp_lock @spid1 int = NULL, @spid2 int = NULL
AS EXTERNAL NAME sbql.server.sp_lock
