-- sp_attach_db: bring a detached database back.
CREATE PROCEDURE sys.sp_attach_db @dbname sysname, @filename1 nvarchar(260),
    @filename2 nvarchar(260) = NULL, @filename3 nvarchar(260) = NULL, @filename4 nvarchar(260) = NULL, @filename5 nvarchar(260) = NULL,
    @filename6 nvarchar(260) = NULL, @filename7 nvarchar(260) = NULL, @filename8 nvarchar(260) = NULL, @filename9 nvarchar(260) = NULL,
    @filename10 nvarchar(260) = NULL, @filename11 nvarchar(260) = NULL, @filename12 nvarchar(260) = NULL, @filename13 nvarchar(260) = NULL,
    @filename14 nvarchar(260) = NULL, @filename15 nvarchar(260) = NULL, @filename16 nvarchar(260) = NULL
AS EXTERNAL NAME sbql.databases.sp_attach_db
