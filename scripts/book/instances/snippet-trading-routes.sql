-- Snippets on routes and on the broker's port, with the two machines of the text: Trader and DMBroker.
-- Corrected: the service name in the string had the square brackets of the identifier in it, and one USE lacked its GO;
-- the registry is written by xp_instance_regwrite, and nothing has to be restarted.

:r common/machines.sql
:r common/routes.sql

-- "At this stage, if we tried, no messages would be delivered": the transport is disabled.
:setvar order Order1
:r common/send-plain.sql
--! advance 10s
SELECT to_service_name, message_type_name, LEFT(transmission_status, 44) AS status FROM Trader1.sys.transmission_queue;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeEntryService | //www.develop.com/DMBrokerage/TradeEntry | The Service Broker transport is disabled or

-- The port, and the switch in the registry, on both machines.
EXEC sp_configure 'show advanced option', 1;
RECONFIGURE;
EXEC sp_configure 'broker TCP listen port', 4022;
RECONFIGURE;
EXEC xp_instance_regwrite 'HKEY_LOCAL_MACHINE', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', REG_DWORD, 1;
GO
--! instance DMBroker
EXEC xp_instance_regwrite 'HKEY_LOCAL_MACHINE', 'Software\Microsoft\MSSQLServer\SSB', 'TransportEnabled', REG_DWORD, 1;
GO
--! settle
--! log 9690
-- Without dialog security the other machine's sender is public: it needs SEND on the service.
GRANT SEND ON SERVICE::[//www.develop.com/DMBrokerage/TradeEntryService] TO public;
GO
--! advance 2m
SELECT CAST(message_body AS xml) AS body FROM DMBrokerage.dbo.tradeEntryQueue;
GO
--! rows
--! <id>Order1</id>

-- The answer takes the other route; then both sides end.
USE DMBrokerage;
GO
DECLARE @dh uniqueidentifier;
RECEIVE TOP (1) @dh = conversation_handle FROM tradeEntryQueue;
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (N'<TradeAck><id>1</id></TradeAck>');
END CONVERSATION @dh;
GO
--! advance 10s
--! instance Trader
SELECT message_sequence_number, message_type_name FROM Trader1.dbo.tradeAckQueue;
DECLARE @dh uniqueidentifier;
SELECT @dh = conversation_handle FROM sys.conversation_endpoints;
END CONVERSATION @dh;
GO
--! rows
--! 0 | //www.develop.com/DMBrokerage/TradeAck
--! 1 | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog
--! advance 10s
SELECT COUNT(*) AS endpoints FROM Trader1.sys.conversation_endpoints;
SELECT COUNT(*) AS waiting FROM Trader1.sys.transmission_queue;
GO
--! rows
--! 0
--! rows
--! 0
--! instance DMBroker
SELECT state_desc FROM DMBrokerage.sys.conversation_endpoints;
SELECT COUNT(*) AS waiting FROM DMBrokerage.sys.transmission_queue;
GO
--! rows
--! CLOSED
--! rows
--! 0
