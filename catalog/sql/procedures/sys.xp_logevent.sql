-- xp_logevent: a line of the error log.
CREATE PROCEDURE sys.xp_logevent @error_number int, @message nvarchar(2048), @severity varchar(13) = 'informational'
AS EXTERNAL NAME sbql.extended.xp_logevent
