-- sp_rename: another name for an object, a column, an index or an alias type.
CREATE PROCEDURE sys.sp_rename @objname nvarchar(1035), @newname sysname, @objtype varchar(13) = NULL
AS EXTERNAL NAME sbql.renaming.sp_rename
