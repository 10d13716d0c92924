-- sp_refreshsqlmodule: bind a module anew.
CREATE PROCEDURE sys.sp_refreshsqlmodule @name nvarchar(776), @namespace nvarchar(20) = NULL
AS EXTERNAL NAME sbql.refreshing.sp_refreshsqlmodule
