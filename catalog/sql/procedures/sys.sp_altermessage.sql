-- sp_altermessage: whether a message of sp_addmessage is logged.
CREATE PROCEDURE sys.sp_altermessage @message_id int, @parameter sysname, @parameter_value varchar(5)
AS EXTERNAL NAME sbql.session_values.sp_altermessage
