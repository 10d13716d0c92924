-- Ends and errors from both sides.
CREATE DATABASE M;
GO
USE M;
CREATE MESSAGE TYPE [//m/t] VALIDATION = NONE;
CREATE CONTRACT [//m/c] ([//m/t] SENT BY INITIATOR);
CREATE QUEUE PubQueue; CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE [//m/pub] ON QUEUE PubQueue;
CREATE SERVICE [//m/one] ON QUEUE Q1 ([//m/c]);
CREATE SERVICE [//m/two] ON QUEUE Q2 ([//m/c]);
CREATE TABLE Handles (name sysname, h uniqueidentifier);
GO
CREATE PROCEDURE Say @text varchar(20), @name sysname = 'pub' AS
BEGIN
    DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = @name);
    SEND ON CONVERSATION @h MESSAGE TYPE [//m/t] (@text);
END
GO
DECLARE @s uniqueidentifier, @h uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('pub', @h);
EXEC Say 'a';
GO
-- A subscriber ends: nobody is told, the publisher and the other one go on.
DECLARE @one uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q1);
INSERT INTO Handles VALUES ('one', @one);
END CONVERSATION @one;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @one;
EXEC Say 'b';
SELECT COUNT(*) FROM Q1;
SELECT COUNT(*) FROM PubQueue;
SELECT CAST(message_body AS varchar(20)) FROM Q2 ORDER BY queuing_order;
SELECT far_service FROM sys.monolog_subscribers;
SELECT s.name, m.joined FROM sys.monolog_subscriptions m JOIN sys.services s ON s.service_id = m.service_id ORDER BY s.name;
GO
--! rows
--! CD
--! rows
--! 0
--! rows
--! 0
--! rows
--! a
--! b
--! rows
--! //m/two
--! rows
--! //m/one | 1
--! //m/two | 1
-- A subscriber ends with an error: the publisher hears of it, stays as it is, and may send.
DECLARE @two uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q2);
END CONVERSATION @two WITH ERROR = 42 DESCRIPTION = N'full & done';
EXEC Say 'c';
SELECT state, send_sequence, subscribers FROM sys.monologs;
GO
--! rows
--! CO | 3 | 0
DECLARE @h uniqueidentifier, @type sysname, @body xml;
RECEIVE @h = conversation_handle, @type = message_type_name, @body = CAST(message_body AS xml) FROM PubQueue;
SELECT h.name, @type FROM Handles h WHERE h.h = @h;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT @body.value('(/Error/Code)[1]', 'int'), @body.value('(/Error/Description)[1]', 'nvarchar(100)');
GO
--! rows
--! pub | http://schemas.microsoft.com/SQL/ServiceBroker/Error
--! rows
--! 42 | Subscriber '//m/two': full & done
-- A body that the subscriber's message type refuses ends that subscriber only. (Its database has the name with another validation.)
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
END CONVERSATION @h;
CREATE MESSAGE TYPE [//m/xml] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//m/x] ([//m/xml] SENT BY INITIATOR);
ALTER SERVICE [//m/one] (ADD CONTRACT [//m/x]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/x];
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/x] WITH RETENTION = ON;
UPDATE Handles SET h = @h WHERE name = 'pub';
SEND ON CONVERSATION @h MESSAGE TYPE [//m/xml] (N'<good/>');
SEND ON CONVERSATION @h MESSAGE TYPE [//m/xml] (N'<bad');
SEND ON CONVERSATION @h MESSAGE TYPE [//m/xml] (N'<good/>');
SELECT state, subscribers FROM sys.monologs;
GO
--! rows
--! CO | 0
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'),
    LEFT(CAST(message_body AS xml).value('(/Error/Description)[1]', 'nvarchar(100)'), 20) FROM PubQueue;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT message_sequence_number, RIGHT(message_type_name, 5), CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1 ORDER BY queuing_order;
SELECT state FROM sys.conversation_endpoints WHERE is_initiator = 0 AND state NOT IN ('CD', 'DI');
RECEIVE conversation_handle FROM PubQueue;
GO
--! rows
--! -9615 | Subscriber '//m/one'
--! rows
--! 0 | m/xml | NULL
--! 0 | Error | -9616
--! rows
--! ER
--! rows
--! *
-- A late subscriber of a retained bad body: the same, and the monolog goes on.
ALTER SERVICE [//m/two] (ADD CONTRACT [//m/x]);
DECLARE @s uniqueidentifier;
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/two] TO SERVICE '//m/pub' ON CONTRACT [//m/x] WITH START = RETAINED;
SELECT COUNT(*) FROM PubQueue;
SELECT state, subscribers FROM sys.monologs;
SELECT RIGHT(message_type_name, 5) FROM Q2 ORDER BY queuing_order;
GO
--! rows
--! 1
--! rows
--! CO | 0
--! rows
--! m/xml
--! Error
-- The subscriber ends its side in error as any conversation; nobody is told.
DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q2);
END CONVERSATION @h;
SELECT COUNT(*) FROM PubQueue;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @h;
GO
--! rows
--! 1
--! rows
--! CD
-- WITH CLEANUP on a subscriber: the next message finds it gone, and the publisher hears of that.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub'), @s uniqueidentifier;
END CONVERSATION @h;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
UPDATE Handles SET h = @h WHERE name = 'pub';
RECEIVE conversation_handle FROM PubQueue;
SELECT subscribers FROM sys.monologs;
DECLARE @one uniqueidentifier = (SELECT e.conversation_handle FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id
    WHERE e.state = 'SI' AND s.name = '//m/one');
END CONVERSATION @one WITH CLEANUP;
SELECT subscribers FROM sys.monologs;
EXEC Say 'x';
SELECT subscribers FROM sys.monologs;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM PubQueue;
GO
--! rows
--! rows
--! 2
--! rows
--! 2
--! rows
--! 1
--! rows
--! -8462
-- WITH CLEANUP on the publisher: nobody is told.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles WHERE name = 'pub');
ALTER QUEUE Q2 WITH STATUS = OFF;
EXEC Say 'waits';
SELECT COUNT(*) FROM sys.transmission_queue;
END CONVERSATION @h WITH CLEANUP;
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT COUNT(*) FROM sys.monolog_subscribers;
SELECT COUNT(*) FROM PubQueue;
SELECT e.state FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id WHERE s.name = '//m/two' AND e.state = 'CO';
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0
--! rows
--! 0
--! rows
--! CO
-- A monolog on which nothing was sent ends with EndDialog too.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
DECLARE @two uniqueidentifier = (SELECT e.conversation_handle FROM sys.conversation_endpoints e JOIN sys.services s ON s.service_id = e.service_id
    WHERE e.state = 'SI' AND s.name = '//m/two');
END CONVERSATION @h;
RECEIVE message_sequence_number, RIGHT(message_type_name, 9) FROM Q2 WHERE conversation_handle = @two;
END CONVERSATION @h;
GO
--! rows
--! 0 | EndDialog
--! error 8426
-- DROP SERVICE of a subscriber: Error -8470 for the publisher. Of the publisher: Error -8470 for each subscriber.
DECLARE @h uniqueidentifier;
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
UPDATE Handles SET h = @h WHERE name = 'pub';
EXEC Say 'y';
DROP SERVICE [//m/one];
SELECT state, subscribers FROM sys.monologs;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM PubQueue;
DROP SERVICE [//m/pub];
SELECT COUNT(*) FROM sys.monologs;
SELECT COUNT(*) FROM sys.monolog_subscribers;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q2 WHERE message_type_name LIKE '%Error';
-- Of its monologs on this contract it has four endpoints left: ended (CD), without its publisher (CO), ended by it (DI), in error (ER).
SELECT far_service, joined FROM sys.monolog_subscriptions WHERE service_id = (SELECT service_id FROM sys.services WHERE name = '//m/two') AND joined > 1;
GO
--! rows
--! CO | 1
--! rows
--! -8470
--! rows
--! 0
--! rows
--! 0
--! rows
--! -8470
--! rows
--! //m/pub | 4
--! spec MONOLOG-9 MONOLOG-21 MONOLOG-23 MONOLOG-24 MONOLOG-25 MONOLOG-27
