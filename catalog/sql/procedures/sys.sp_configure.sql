-- sp_configure: the options of the server.
CREATE PROCEDURE sys.sp_configure @configname varchar(35) = NULL, @configvalue int = NULL
AS EXTERNAL NAME sbql.server.sp_configure
