-- sp_revokelogin: DROP LOGIN, in the words of old scripts: as sp_droplogin.
CREATE PROCEDURE sys.sp_revokelogin @loginame sysname
AS
-- part: no_transaction
DECLARE @code int;
EXEC @code = sys.sp_droplogin @loginame;
RETURN (@code)
