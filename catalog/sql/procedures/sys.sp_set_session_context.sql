-- sp_set_session_context: keep a value for SESSION_CONTEXT.
CREATE PROCEDURE sys.sp_set_session_context @key sysname, @value sql_variant, @read_only bit = 0
AS EXTERNAL NAME sbql.session_values.sp_set_session_context
