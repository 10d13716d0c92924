-- Snippet after listing 15-12: END CONVERSATION in its three forms, and what the other side sees of each.

:r common/databases.sql
:r common/messages.sql
:r common/queues-and-services.sql

USE Trader1;
GO
CREATE TABLE dbo.dialogs (label varchar(10) PRIMARY KEY, handle uniqueidentifier);
GO
-- Three conversations, each with one entry that names it.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (N'<id>plain</id>');
INSERT INTO dbo.dialogs VALUES ('plain', @dh);

BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (N'<id>error</id>');
INSERT INTO dbo.dialogs VALUES ('error', @dh);

BEGIN DIALOG CONVERSATION @dh
    FROM SERVICE enterTrade TO SERVICE '//www.develop.com/DMBrokerage/TradeEntryService'
    ON CONTRACT [//www.develop.com/DMBrokerage/EnterTrade];
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] (N'<id>cleanup</id>');
INSERT INTO dbo.dialogs VALUES ('cleanup', @dh);
GO
-- The brokerage takes the entries in and notes which handle is which.
USE DMBrokerage;
GO
CREATE TABLE dbo.dialogs (label varchar(10) PRIMARY KEY, handle uniqueidentifier);
GO
INSERT INTO dbo.dialogs (label, handle)
SELECT CAST(message_body AS xml).value('(/id)[1]', 'varchar(10)'), conversation_handle FROM tradeEntryQueue;
RECEIVE message_type_name FROM tradeEntryQueue;
RECEIVE message_type_name FROM tradeEntryQueue;
RECEIVE message_type_name FROM tradeEntryQueue;
GO
--! rows
--! //www.develop.com/DMBrokerage/TradeEntry
--! rows
--! //www.develop.com/DMBrokerage/TradeEntry
--! rows
--! //www.develop.com/DMBrokerage/TradeEntry

USE Trader1;
GO
DECLARE @dh uniqueidentifier;

-- done: the other side gets an EndDialog
SELECT @dh = handle FROM dbo.dialogs WHERE label = 'plain';
END CONVERSATION @dh;

-- given up: the other side gets an Error with a number of ours, which must be positive, and a text
SELECT @dh = handle FROM dbo.dialogs WHERE label = 'error';
END CONVERSATION @dh WITH ERROR = 42 DESCRIPTION = N'The customer has changed his mind.';

-- thrown away: the other side is not told. A tool for administrators, when nothing else works.
SELECT @dh = handle FROM dbo.dialogs WHERE label = 'cleanup';
END CONVERSATION @dh WITH CLEANUP;
GO
WAITFOR DELAY '00:00:01';
GO

USE DMBrokerage;
GO
SELECT d.label, RTRIM(e.state) AS state, e.state_desc, q.message_type_name
FROM dbo.dialogs AS d
JOIN sys.conversation_endpoints AS e ON e.conversation_handle = d.handle
LEFT JOIN tradeEntryQueue AS q ON q.conversation_handle = d.handle
ORDER BY d.label;
GO
--! rows
--! cleanup | CO | CONVERSING | NULL
--! error | ER | ERROR | http://schemas.microsoft.com/SQL/ServiceBroker/Error
--! plain | DI | DISCONNECTED_INBOUND | http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog

WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') AS code,
       CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(200)') AS description
FROM tradeEntryQueue
WHERE message_type_name = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error';
GO
--! rows
--! 42 | The customer has changed his mind.

-- Nothing can be sent any more on a conversation that the other side has ended, with or without an error.
DECLARE @dh uniqueidentifier = (SELECT handle FROM dbo.dialogs WHERE label = 'plain');
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (N'<late/>');
GO
--! error 8429
DECLARE @dh uniqueidentifier = (SELECT handle FROM dbo.dialogs WHERE label = 'error');
SEND ON CONVERSATION @dh MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] (N'<late/>');
GO
--! error 8429

-- Each side ends for itself. The messages that are still unread go with the conversation.
DECLARE @dh uniqueidentifier = (SELECT handle FROM dbo.dialogs WHERE label = 'plain');
END CONVERSATION @dh;
SELECT @dh = handle FROM dbo.dialogs WHERE label = 'error';
END CONVERSATION @dh;
SELECT COUNT(*) AS messages FROM tradeEntryQueue;
SELECT COUNT(*) AS open_endpoints FROM sys.conversation_endpoints WHERE state <> 'CD';
GO
--! rows
--! 0
--! rows
--! 1
SELECT COUNT(*) AS endpoints FROM Trader1.sys.conversation_endpoints;
GO
--! rows
--! 0
