-- Snippet after listing 15-11: the identifier of a database's broker, and what it is good for.
-- Corrected: the placeholder for the database name is a real name. The brokerage exists twice here, and the identifier
-- picks the copy.

CREATE DATABASE Trader1;
GO
CREATE DATABASE DMBrokerage;
GO
CREATE DATABASE DMBrokerageWest;
GO
ALTER DATABASE Trader1 SET TRUSTWORTHY ON;
GO

SELECT service_broker_guid
FROM sys.databases
WHERE database_id = DB_ID(N'DMBrokerage');
SELECT service_broker_guid
FROM sys.databases
WHERE database_id = DB_ID(N'DMBrokerageWest');
SELECT COUNT(DISTINCT service_broker_guid) AS identities
FROM sys.databases
WHERE name IN (N'Trader1', N'DMBrokerage', N'DMBrokerageWest');
GO
--! rows
--! {east}
--! rows
--! {west}
--! rows
--! 3

USE DMBrokerage;
GO
CREATE QUEUE tradeEntryQueue;
CREATE SERVICE tradeEntryService ON QUEUE tradeEntryQueue ([DEFAULT]);
GO
USE DMBrokerageWest;
GO
CREATE QUEUE tradeEntryQueue;
CREATE SERVICE tradeEntryService ON QUEUE tradeEntryQueue ([DEFAULT]);
GO
USE Trader1;
GO
CREATE QUEUE tradeAckQueue;
CREATE SERVICE enterTrade ON QUEUE tradeAckQueue;
GO

-- Three messages west, one east. The instance is passed as a string. With ENCRYPTION = OFF a dialog between two
-- databases of one instance does without master keys.
DECLARE @dh uniqueidentifier, @west nvarchar(128), @east nvarchar(128), @i int;
SELECT @west = CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = N'DMBrokerageWest';
SELECT @east = CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = N'DMBrokerage';
SET @i = 0;
WHILE @i < 3
BEGIN
    BEGIN DIALOG CONVERSATION @dh FROM SERVICE enterTrade TO SERVICE 'tradeEntryService', @west
        WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @dh (N'west');
    SET @i = @i + 1;
END;
BEGIN DIALOG CONVERSATION @dh FROM SERVICE enterTrade TO SERVICE 'tradeEntryService', @east
    WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @dh (N'east');
GO

SELECT CAST(message_body AS nvarchar(10)) AS body, COUNT(*) AS messages
FROM DMBrokerageWest.dbo.tradeEntryQueue GROUP BY CAST(message_body AS nvarchar(10));
SELECT CAST(message_body AS nvarchar(10)) AS body, COUNT(*) AS messages
FROM DMBrokerage.dbo.tradeEntryQueue GROUP BY CAST(message_body AS nvarchar(10));
GO
--! rows
--! west | 3
--! rows
--! east | 1
