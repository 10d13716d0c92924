-- sp_cursor_list: the cursors of the caller, as a cursor.
CREATE PROCEDURE sys.sp_cursor_list @cursor_return CURSOR VARYING OUTPUT, @cursor_scope int
AS EXTERNAL NAME sbql.cursors.sp_cursor_list
