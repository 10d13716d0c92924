-- sp_revokedbaccess: DROP USER, in the words of old scripts: as sp_dropuser.
CREATE PROCEDURE sys.sp_revokedbaccess @name_in_db sysname
AS
-- part: no_transaction
DECLARE @code int;
EXEC @code = sys.sp_dropuser @name_in_db;
RETURN (@code)
