-- sp_detach_db: take a database out of the instance.
CREATE PROCEDURE sys.sp_detach_db @dbname sysname, @skipchecks nvarchar(10) = NULL, @keepfulltextindexfile nvarchar(10) = N'true'
AS EXTERNAL NAME sbql.databases.sp_detach_db
