-- sp_helptext: the text of a module, a constraint or a computed column.
CREATE PROCEDURE sys.sp_helptext @objname nvarchar(776), @columnname sysname = NULL
AS EXTERNAL NAME sbql.help_text.sp_helptext
