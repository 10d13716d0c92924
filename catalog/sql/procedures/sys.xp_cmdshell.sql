-- xp_cmdshell: refused: there is no shell here.
CREATE PROCEDURE sys.xp_cmdshell @command_string nvarchar(4000), @no_output varchar(9) = NULL
AS EXTERNAL NAME sbql.extended.xp_cmdshell
