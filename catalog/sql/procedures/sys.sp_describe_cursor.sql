-- sp_describe_cursor: what a cursor is, as a cursor.
CREATE PROCEDURE sys.sp_describe_cursor @cursor_return CURSOR VARYING OUTPUT, @cursor_source nvarchar(30), @cursor_identity nvarchar(128)
AS EXTERNAL NAME sbql.cursors.sp_describe_cursor
