-- A monolog: one publisher, any number of subscribers (an extension, see docs/monologs.md).
-- A price service tells whoever has subscribed. One subscriber is there from the beginning, one comes late, one is slow.

CREATE DATABASE Stock;
GO
USE Stock;
GO
CREATE MESSAGE TYPE [//stock/Price] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//stock/PriceContract] ([//stock/Price] SENT BY INITIATOR);
CREATE QUEUE PriceQueue; CREATE QUEUE ChartQueue; CREATE QUEUE AlarmQueue; CREATE QUEUE ArchiveQueue;
CREATE SERVICE [//stock/Prices] ON QUEUE PriceQueue;
CREATE SERVICE [//stock/Charts] ON QUEUE ChartQueue ([//stock/PriceContract]);
CREATE SERVICE [//stock/Alarms] ON QUEUE AlarmQueue ([//stock/PriceContract]);
CREATE SERVICE [//stock/Archive] ON QUEUE ArchiveQueue ([//stock/PriceContract]);
GO

-- Charts and Archive subscribe before there is anything. The archive is switched off: it is slow.
DECLARE @subscription uniqueidentifier;
BEGIN SUBSCRIPTION @subscription FOR SERVICE [//stock/Charts] TO SERVICE '//stock/Prices' ON CONTRACT [//stock/PriceContract];
BEGIN SUBSCRIPTION @subscription FOR SERVICE [//stock/Archive] TO SERVICE '//stock/Prices' ON CONTRACT [//stock/PriceContract];
ALTER QUEUE ArchiveQueue WITH STATUS = OFF;
GO

-- The publisher begins, keeps its prices for an hour, and sends two in one transaction.
DECLARE @prices uniqueidentifier;
BEGIN MONOLOG CONVERSATION @prices FROM SERVICE [//stock/Prices] ON CONTRACT [//stock/PriceContract] WITH RETENTION = 3600;
BEGIN TRANSACTION;
SEND ON CONVERSATION @prices MESSAGE TYPE [//stock/Price] (N'<price symbol="ABC">12.30</price>');
SEND ON CONVERSATION @prices MESSAGE TYPE [//stock/Price] (N'<price symbol="ABC">12.45</price>');
COMMIT;
GO

-- Alarms comes late, and asks for what is retained.
DECLARE @subscription uniqueidentifier;
BEGIN SUBSCRIPTION @subscription FOR SERVICE [//stock/Alarms] TO SERVICE '//stock/Prices' ON CONTRACT [//stock/PriceContract]
    WITH START = RETAINED;
GO
RECEIVE message_sequence_number, CAST(message_body AS xml).value('(/price)[1]', 'decimal(9,2)') AS price FROM ChartQueue;
RECEIVE message_sequence_number, CAST(message_body AS xml).value('(/price)[1]', 'decimal(9,2)') AS price FROM AlarmQueue;
GO
--! rows
--! 0 | 12.30
--! 1 | 12.45
--! rows
--! 0 | 12.30
--! 1 | 12.45

-- Nobody waited for the archive, and it has lost nothing.
SELECT far_service, waiting_messages, transmission_status FROM sys.monolog_subscribers ORDER BY far_service;
ALTER QUEUE ArchiveQueue WITH STATUS = ON;
GO
--! rows
--! //stock/Alarms | 0 |
--! //stock/Archive | 2 | *
--! //stock/Charts | 0 |
WAITFOR (RECEIVE message_sequence_number, CAST(message_body AS xml).value('(/price)[1]', 'decimal(9,2)') AS price FROM ArchiveQueue),
    TIMEOUT 10000;
GO
--! rows
--! 0 | 12.30
--! 1 | 12.45

-- The publisher ends; each subscriber gets an EndDialog message and ends its own side.
DECLARE @prices uniqueidentifier = (SELECT conversation_handle FROM sys.monologs);
END CONVERSATION @prices;
GO
DECLARE @handle uniqueidentifier, @type nvarchar(256);
RECEIVE TOP (1) @handle = conversation_handle, @type = message_type_name FROM ChartQueue;
IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog' END CONVERSATION @handle;
SELECT state_desc FROM sys.conversation_endpoints WHERE conversation_handle = @handle;
GO
--! rows
--! CLOSED
