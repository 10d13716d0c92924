-- Snippet after listing 15-16: make the body readable while receiving it.
-- A warning that the chapter does not give: when the cast fails, the whole RECEIVE fails, and an activated procedure
-- that does this on a queue with an unreadable message never gets past it. Cast what you have received instead, or let
-- the message type make sure of the XML.

CREATE DATABASE DMBrokerage;
GO
USE DMBrokerage;
GO
CREATE QUEUE deskQueue;
CREATE SERVICE desk ON QUEUE deskQueue;
CREATE QUEUE MyQueue;
CREATE SERVICE myService ON QUEUE MyQueue ([DEFAULT]);
GO
DECLARE @dh uniqueidentifier, @body xml;
SET @body = N'<id>Order1</id>';
BEGIN DIALOG CONVERSATION @dh FROM SERVICE desk TO SERVICE 'myService';
SEND ON CONVERSATION @dh (@body);
SEND ON CONVERSATION @dh (N'<id>Order2</id>');
GO

RECEIVE CAST(message_body AS xml) FROM MyQueue;
GO
--! rows
--! <id>Order1</id>
--! <id>Order2</id>
