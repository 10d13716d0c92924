-- The switches of the broker from before its release: a port of sp_configure and a value of the registry, in front of the endpoint.
--! spec NETWORK-20 NETWORK-21
EXEC sp_configure 'broker TCP listen port', 5114;
GO
--! error 15123
EXEC sp_configure 'show advanced options', 1;
RECONFIGURE;
EXEC sp_configure 'broker TCP listen port', 5114;
EXEC sp_configure 'broker TCP';
SELECT COUNT(*) FROM sys.endpoints WHERE type_desc = 'SERVICE_BROKER';
GO
--! rows
--! columns name | minimum | maximum | config_value | run_value
--! broker TCP listen port | 1024 | 32767 | 5114 | 4022
--! rows
--! 0
EXEC sp_configure 'broker TCP listen port', 1023;
GO
--! error 15129
-- RECONFIGURE makes the endpoint, which listens when the transport is enabled
RECONFIGURE;
EXEC sp_configure 'broker TCP';
SELECT name, port, state_desc FROM sys.tcp_endpoints WHERE type_desc = 'SERVICE_BROKER';
EXEC xp_instance_regread N'HKEY_LOCAL_MACHINE', N'Software\Microsoft\MSSQLServer\SSB', N'TransportEnabled';
EXEC xp_instance_regwrite N'HKEY_LOCAL_MACHINE', N'Software\Microsoft\MSSQLServer\SSB', N'TransportEnabled', REG_DWORD, 1;
EXEC xp_regread 'HKEY_LOCAL_MACHINE', 'Software\Microsoft\Microsoft SQL Server\MSSQL.1\SSB', 'TransportEnabled';
SELECT name, port, state_desc FROM sys.tcp_endpoints WHERE type_desc = 'SERVICE_BROKER';
GO
--! rows
--! broker TCP listen port | 1024 | 32767 | 5114 | 5114
--! rows
--! ServiceBroker | 5114 | STOPPED
--! rows
--! TransportEnabled | 0
--! rows
--! TransportEnabled | 1
--! rows
--! ServiceBroker | 5114 | STARTED
-- it outlives the instance, and another RECONFIGURE leaves it alone
--! restart
EXEC sp_configure 'show advanced options', 1;
RECONFIGURE;
EXEC sp_configure 'broker TCP';
SELECT name, port, state_desc FROM sys.tcp_endpoints WHERE type_desc = 'SERVICE_BROKER';
GO
--! rows
--! broker TCP listen port | 1024 | 32767 | 5114 | 5114
--! rows
--! ServiceBroker | 5114 | STARTED
-- what ALTER ENDPOINT says counts alike
ALTER ENDPOINT ServiceBroker AS TCP (LISTENER_PORT = 6000);
RECONFIGURE;
SELECT value, value_in_use FROM sys.configurations WHERE name = 'broker TCP listen port';
EXEC sp_configure 'broker TCP listen port', 6001;
RECONFIGURE;
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\Microsoft SQL Server\MSSQL.1\SSB', 'TransportEnabled', 'REG_DWORD', 0;
SELECT name, port, state_desc FROM sys.tcp_endpoints WHERE type_desc = 'SERVICE_BROKER';
DROP ENDPOINT ServiceBroker;
-- without an endpoint the switch makes one, on the port that is asked for
EXEC sp_configure 'broker TCP listen port', 6002;
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\Microsoft SQL Server\MSSQL.1\SSB', 'TransportEnabled', 'REG_DWORD', 0;
SELECT COUNT(*) FROM sys.service_broker_endpoints;
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\Microsoft SQL Server\MSSQL.1\SSB', 'TransportEnabled', 'REG_DWORD', 1;
SELECT name, port, state_desc FROM sys.tcp_endpoints WHERE type_desc = 'SERVICE_BROKER';
GO
--! rows
--! 6000 | 6000
--! rows
--! ServiceBroker | 6001 | STOPPED
--! rows
--! 0
--! rows
--! ServiceBroker | 6002 | STARTED
-- nothing else is written, and nobody may do this who may not alter the endpoint
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\MSSQLServer\MSSQLServer', 'LoginMode', 'REG_DWORD', 1;
GO
--! error 40517 text LoginMode
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', 'REG_DWORD', 2;
GO
--! error 22001
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', 'REG_SZ', 1;
GO
--! error 22001
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', NULL, 1;
GO
--! error 201
CREATE LOGIN Joan WITH PASSWORD = 'Secret_1';
EXECUTE AS LOGIN = 'Joan';
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', 'REG_DWORD', 0;
GO
--! error 15151
REVERT;
BEGIN TRANSACTION;
EXEC xp_regwrite 'HKLM', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', 'REG_DWORD', 0;
GO
--! error 574
ROLLBACK;
SELECT state_desc FROM sys.service_broker_endpoints;
GO
--! rows
--! STARTED
