-- A database with a name of no characters is not made, by whatever way a name comes that is no part of a statement.
CREATE DATABASE Named;
GO
BACKUP DATABASE Named TO DISK = 'named.bak';
GO
DECLARE @empty sysname = N'';
RESTORE DATABASE @empty FROM DISK = 'named.bak';
GO
--! error 1038
EXEC sp_renamedb 'Named', '';
GO
--! error 15004
EXEC sp_rename 'Named', '', 'DATABASE';
GO
--! error 15223
EXEC sp_detach_db 'Named';
GO
EXEC sp_attach_db '', 'Named.mdf';
GO
--! error 1038
EXEC sp_attach_single_file_db '', 'Named.mdf';
GO
--! error 1038
SELECT COUNT(*) FROM sys.databases WHERE database_id > 4;
GO
--! rows
--! 0
