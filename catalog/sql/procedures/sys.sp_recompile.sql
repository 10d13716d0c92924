-- sp_recompile: mark a module, or those of a table, to be compiled anew.
CREATE PROCEDURE sys.sp_recompile @objname nvarchar(776)
AS EXTERNAL NAME sbql.refreshing.sp_recompile
