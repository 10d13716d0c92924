-- Options of sp_configure: what is set, what is in use, and RECONFIGURE between them.
EXEC sp_configure 'show advanced options', 1;
EXEC sp_configure 'max server memory (MB)';
GO
--! error 15123
SELECT value, value_in_use FROM sys.configurations WHERE name = 'show advanced options';
RECONFIGURE;
SELECT value, value_in_use FROM sys.configurations WHERE name = 'show advanced options';
EXEC sp_configure 'max server memory (MB)', 100000;
EXEC sp_configure 'max server memory (MB)';
RECONFIGURE WITH OVERRIDE
EXEC sp_configure 'max server memory (MB)';
GO
--! rows
--! 1 | 0
--! rows
--! 1 | 1
--! rows
--! columns name | minimum | maximum | config_value | run_value
--! max server memory (MB) | 128 | 2147483647 | 100000 | 2147483647
--! rows
--! max server memory (MB) | 128 | 2147483647 | 100000 | 100000
-- what needs a restart is not in use after RECONFIGURE
EXEC sp_configure 'remote access', 0;
RECONFIGURE;
SELECT value, value_in_use, is_dynamic FROM sys.configurations WHERE name = 'remote access';
GO
--! rows
--! 0 | 1 | 0
EXEC sp_configure 'max server memory', 127;
GO
--! error 15129
BEGIN TRANSACTION;
RECONFIGURE;
GO
--! error 574 line 2
ROLLBACK;
CREATE LOGIN Joan WITH PASSWORD = 'Secret_1';
EXECUTE AS LOGIN = 'Joan';
RECONFIGURE;
GO
--! error 5812 severity 14 line 4
REVERT;
GRANT ALTER SETTINGS TO Joan;
EXECUTE AS LOGIN = 'Joan';
EXEC sp_configure 'cost threshold', 50;
RECONFIGURE;
REVERT;
SELECT value_in_use FROM sys.configurations WHERE name = 'cost threshold for parallelism';
GO
--! rows
--! 50
