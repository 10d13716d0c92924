-- sp_renamedb: ALTER DATABASE … MODIFY NAME, in the words of old scripts.
CREATE PROCEDURE sys.sp_renamedb @dbname sysname, @newname sysname
AS EXTERNAL NAME sbql.databases.sp_renamedb
