-- sp_attach_single_file_db: bring a detached database back.
CREATE PROCEDURE sys.sp_attach_single_file_db @dbname sysname, @physname nvarchar(260)
AS EXTERNAL NAME sbql.databases.sp_attach_single_file_db
