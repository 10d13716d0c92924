-- What comes from the network goes by the routes of msdb.
:r pair.inc
-- a service that exists here and that no route of msdb leads to is not found
ALTER DATABASE msdb SET ENABLE_BROKER;
GO
USE msdb;
DROP ROUTE AutoCreatedLocal;
GO
--! instance A
:r begin.inc
--! advance 10s
--! instance B
--! spec MATCH-15
USE Shop;
SELECT COUNT(*) FROM Desk;
GO
--! rows
--! 0
--! trace Message Undeliverable sequenced text //B
USE msdb;
CREATE ROUTE Here WITH SERVICE_NAME = '//B', ADDRESS = 'LOCAL';
GO
--! advance 2m
--! spec MATCH-15
SELECT COUNT(*) FROM Shop.dbo.Desk;
GO
--! rows
--! 1
-- while msdb takes no part, new dialogs are not routed; the initiator repeats its message, and is not told
ALTER DATABASE msdb SET DISABLE_BROKER;
GO
--! instance A
:r begin.inc
--! advance 10s
SELECT COUNT(*), MAX(transmission_status) FROM sys.transmission_queue;
GO
--! rows
--! 1 |
--! instance B
--! spec DELAY-19
--! trace Message Undeliverable sequenced text the broker is disabled in the system database msdb
ALTER DATABASE msdb SET ENABLE_BROKER;
ALTER DATABASE msdb SET SINGLE_USER;
GO
--! advance 2m
--! spec DELAY-19
--! trace Message Undeliverable sequenced text msdb, which holds the routes, is in single-user mode
SELECT COUNT(*) FROM Shop.dbo.Desk;
GO
--! rows
--! 1
ALTER DATABASE msdb SET MULTI_USER;
GO
--! advance 2m
SELECT COUNT(*) FROM Shop.dbo.Desk;
GO
--! rows
--! 2
