-- Several copies of a service in several databases of one instance: which one a conversation gets.
CREATE DATABASE Sender;
CREATE DATABASE CopyA;
CREATE DATABASE CopyB;
CREATE DATABASE CopyC;
ALTER DATABASE Sender SET TRUSTWORTHY ON;
GO
USE CopyA;
CREATE QUEUE Q; CREATE SERVICE Stock ON QUEUE Q ([DEFAULT]);
USE CopyB;
CREATE QUEUE Q; CREATE SERVICE Stock ON QUEUE Q ([DEFAULT]);
USE CopyC;
CREATE QUEUE Q; CREATE SERVICE Stock ON QUEUE Q ([DEFAULT]);
USE Sender;
CREATE QUEUE Q; CREATE SERVICE Buyer ON QUEUE Q;
GO
CREATE PROCEDURE Buy @times int, @broker nvarchar(128) = NULL AS
BEGIN
    DECLARE @h uniqueidentifier;
    WHILE @times > 0
    BEGIN
        IF @broker IS NULL BEGIN DIALOG @h FROM SERVICE Buyer TO SERVICE 'Stock' WITH ENCRYPTION = OFF;
        ELSE BEGIN DIALOG @h FROM SERVICE Buyer TO SERVICE 'Stock', @broker WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h (N'1'); SEND ON CONVERSATION @h (N'2'); SEND ON CONVERSATION @h (N'3');
        SET @times -= 1;
    END;
END;
GO
CREATE VIEW Arrived AS
SELECT 'A' AS copy, conversation_handle FROM CopyA.dbo.Q UNION ALL SELECT 'B', conversation_handle FROM CopyB.dbo.Q
UNION ALL SELECT 'C', conversation_handle FROM CopyC.dbo.Q;
GO
-- The wildcard route of the database: thirty conversations, each at one of the copies with all its messages, every copy has some.
EXEC Buy 30;
SELECT COUNT(DISTINCT conversation_handle), COUNT(*), COUNT(DISTINCT copy) FROM Arrived;
SELECT DISTINCT COUNT(*) FROM Arrived GROUP BY copy, conversation_handle;
SELECT COUNT(*) FROM sys.conversation_endpoints e JOIN sys.databases d ON CAST(d.service_broker_guid AS nvarchar(36)) = e.far_broker_instance WHERE d.name LIKE 'Copy_';
GO
--! rows
--! 30 | 90 | 3
--! rows
--! 3
--! rows
--! 30
--! spec CHOICE-10 CHOICE-11 CHOICE-12 MATCH-6 MATCH-12 PLACE-1
-- It stays with its copy whatever the routes say afterwards.
DECLARE @a nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'CopyA'), @sql nvarchar(max);
SET @sql = N'CREATE ROUTE OnlyA WITH SERVICE_NAME = ''Stock'', BROKER_INSTANCE = ''' + @a + N''', ADDRESS = ''LOCAL''';
EXEC (@sql);
DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE far_broker_instance <> @a);
SEND ON CONVERSATION @h (N'4');
SELECT COUNT(*) FROM Arrived WHERE copy <> 'A';
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! *
--! rows
--! 0
-- A new conversation takes the named route.
ALTER DATABASE CURRENT SET NEW_BROKER;
ALTER DATABASE CopyA SET ERROR_BROKER_CONVERSATIONS;
DECLARE @before int = (SELECT COUNT(*) FROM Arrived);
EXEC Buy 5;
SELECT copy, COUNT(*) FROM (SELECT copy, conversation_handle FROM Arrived WHERE conversation_handle IN
    (SELECT t.conversation_handle FROM CopyA.sys.conversation_endpoints t WHERE t.state <> 'ER')) AS fresh GROUP BY copy;
SELECT (SELECT COUNT(*) FROM Arrived) - @before;
GO
--! rows
--! A | 15
--! rows
--! 15
--! spec MATCH-4 CHOICE-7
-- BROKER_INSTANCE in BEGIN DIALOG chooses the copy.
ALTER DATABASE CopyA SET NEW_BROKER; ALTER DATABASE CopyB SET NEW_BROKER; ALTER DATABASE CopyC SET NEW_BROKER;
DROP ROUTE OnlyA;
DECLARE @b nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'CopyB');
EXEC Buy 5, @b;
SELECT copy, COUNT(*) FROM Arrived GROUP BY copy;
GO
--! rows
--! B | 15
--! spec IDENTITY-13
-- Two routes with different brokers: one broker a conversation, by chance, and both get some.
ALTER DATABASE CopyB SET NEW_BROKER;
DECLARE @a nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'CopyA'), @sql nvarchar(max);
DECLARE @c nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'CopyC');
SET @sql = N'CREATE ROUTE ToA WITH SERVICE_NAME = ''Stock'', BROKER_INSTANCE = ''' + @a + N''', ADDRESS = ''LOCAL'';
    CREATE ROUTE ToC WITH SERVICE_NAME = ''Stock'', BROKER_INSTANCE = ''' + @c + N''', ADDRESS = ''LOCAL'';';
EXEC (@sql);
EXEC Buy 20;
SELECT copy, CASE WHEN COUNT(*) BETWEEN 3 AND 57 THEN 'some' END FROM Arrived GROUP BY copy ORDER BY copy;
SELECT DISTINCT COUNT(*) FROM Arrived GROUP BY copy, conversation_handle;
GO
--! rows
--! A | some
--! C | some
--! rows
--! 3
--! spec CHOICE-13
-- A copy whose broker is off is not considered; the own database comes first once it has the service.
DROP ROUTE ToA; DROP ROUTE ToC;
ALTER DATABASE CopyA SET NEW_BROKER; ALTER DATABASE CopyB SET NEW_BROKER; ALTER DATABASE CopyC SET NEW_BROKER;
ALTER DATABASE CopyA SET DISABLE_BROKER;
EXEC Buy 20;
SELECT DISTINCT copy FROM Arrived ORDER BY copy;
GO
--! rows
--! B
--! C
--! spec IDENTITY-12
CREATE QUEUE Own; CREATE SERVICE Stock ON QUEUE Own ([DEFAULT]);
ALTER DATABASE CopyB SET NEW_BROKER; ALTER DATABASE CopyC SET NEW_BROKER;
EXEC Buy 10;
SELECT (SELECT COUNT(*) FROM Own), (SELECT COUNT(*) FROM Arrived);
GO
--! rows
--! 30 | 0
--! spec CHOICE-9
-- Replies need no route: without any, the target's answers come back, and so does what is sent on.
DROP ROUTE AutoCreatedLocal;
USE CopyB;
DROP ROUTE AutoCreatedLocal;
USE Sender;
ALTER DATABASE CURRENT SET NEW_BROKER;
DECLARE @b nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'CopyB');
EXEC Buy 1;
EXEC Buy 1, @b;
SELECT DISTINCT CASE WHEN transmission_status LIKE '%target service name could not be found%' THEN 9793 END FROM sys.transmission_queue;
SELECT COUNT(*) FROM Own;
USE CopyB;
DECLARE @t uniqueidentifier;
RECEIVE TOP (1) @t = conversation_handle FROM Q;
SEND ON CONVERSATION @t (N'answer');
SELECT COUNT(*) FROM sys.transmission_queue;
USE Sender;
SELECT CAST(message_body AS nvarchar(10)) FROM Q;
GO
--! rows
--! 9793
--! rows
--! 0
--! rows
--! 0
--! rows
--! answer
--! spec MATCH-7 MATCH-8 MATCH-14 DELAY-2
