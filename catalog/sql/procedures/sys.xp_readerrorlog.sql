-- xp_readerrorlog: the error log.
CREATE PROCEDURE sys.xp_readerrorlog @p1 int = 0, @p2 int = 1, @p3 nvarchar(255) = NULL, @p4 nvarchar(255) = NULL, @p5 datetime = NULL, @p6 datetime = NULL,
    @p7 nvarchar(4) = N'asc'
AS EXTERNAL NAME sbql.operations.xp_readerrorlog
