-- sp_readerrorlog: the error log.
CREATE PROCEDURE sys.sp_readerrorlog @p1 int = 0, @p2 int = NULL, @p3 nvarchar(4000) = NULL, @p4 nvarchar(4000) = NULL
AS EXTERNAL NAME sbql.operations.sp_readerrorlog
