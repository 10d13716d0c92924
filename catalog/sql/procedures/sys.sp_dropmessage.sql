-- sp_dropmessage: remove a message of sp_addmessage.
CREATE PROCEDURE sys.sp_dropmessage @msgnum int, @lang sysname = NULL
AS EXTERNAL NAME sbql.session_values.sp_dropmessage
