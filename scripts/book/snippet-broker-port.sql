-- Snippets on the broker's TCP port and its switch in the registry, as the chapter has them: before the release there
-- was no CREATE ENDPOINT.
-- Corrected: the registry is written by xp_instance_regwrite, not by hand. No restart is needed.
-- One instance: the endpoint that the switches stand for is there, and nobody connects.

USE master;
GO
EXEC sp_configure 'show advanced options', 1;
RECONFIGURE;
GO
EXEC sp_configure 'broker TCP listen port', 5022;
RECONFIGURE;
GO
-- 0 is how the transport is when it is new: messages stay within the instance.
EXEC xp_instance_regread 'HKEY_LOCAL_MACHINE', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled';
EXEC xp_instance_regwrite 'HKEY_LOCAL_MACHINE', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', REG_DWORD, 1;
EXEC xp_instance_regread 'HKEY_LOCAL_MACHINE', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled';
GO
--! rows
--! TransportEnabled | 0
--! rows
--! TransportEnabled | 1

-- What CREATE ENDPOINT would have made. Authentication is required: the third of the chapter's levels, its default.
SELECT b.name, b.state_desc, t.port, b.connection_auth
FROM sys.service_broker_endpoints AS b
JOIN sys.tcp_endpoints AS t ON t.endpoint_id = b.endpoint_id;
GO
--! rows
--! ServiceBroker | STARTED | 5022 | 3
