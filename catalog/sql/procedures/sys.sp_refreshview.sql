-- sp_refreshview: bind a view anew.
CREATE PROCEDURE sys.sp_refreshview @viewname nvarchar(776)
AS EXTERNAL NAME sbql.refreshing.sp_refreshview
