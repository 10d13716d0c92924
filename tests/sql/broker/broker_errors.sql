-- The error codes of the broker: two databases whose contracts and message types of one name differ, rights, dropped objects, broker options.
CREATE DATABASE Sender;
CREATE DATABASE Receiver;
GO
ALTER DATABASE Sender SET TRUSTWORTHY ON;
ALTER DATABASE Receiver SET TRUSTWORTHY ON;
GO
USE Receiver;
CREATE MESSAGE TYPE Good; CREATE MESSAGE TYPE NotListed; CREATE MESSAGE TYPE Turned; CREATE MESSAGE TYPE Back; CREATE MESSAGE TYPE Empty VALIDATION = EMPTY;
CREATE MESSAGE TYPE Xml VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT C (Good SENT BY ANY, Turned SENT BY TARGET, Back SENT BY ANY, Empty SENT BY ANY, Xml SENT BY ANY);
CREATE QUEUE Q;
CREATE SERVICE Target ON QUEUE Q (C, [DEFAULT]);
GO
USE Sender;
CREATE MESSAGE TYPE Good; CREATE MESSAGE TYPE NotListed; CREATE MESSAGE TYPE Turned; CREATE MESSAGE TYPE Back; CREATE MESSAGE TYPE Empty; CREATE MESSAGE TYPE Xml;
CREATE MESSAGE TYPE OnlyHere;
CREATE CONTRACT C (Good SENT BY ANY, NotListed SENT BY ANY, Turned SENT BY ANY, Back SENT BY INITIATOR, Empty SENT BY ANY, Xml SENT BY ANY, OnlyHere SENT BY ANY);
CREATE QUEUE Q;
CREATE SERVICE Start ON QUEUE Q;
GO
-- One dialog for each type: the code and the state of the initiator, and whether a target came about. Good is sent first when @first is 1.
CREATE PROCEDURE Try_Type @type sysname, @first bit = 0 AS
BEGIN
    DECLARE @h uniqueidentifier, @id uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' ON CONTRACT C WITH ENCRYPTION = OFF;
    IF @first = 1 SEND ON CONVERSATION @h MESSAGE TYPE Good (N'first');
    SEND ON CONVERSATION @h MESSAGE TYPE @type (N'not xml');
    SELECT @id = conversation_id FROM sys.conversation_endpoints WHERE conversation_handle = @h;
    WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
    SELECT (SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @h AND message_type_id = 1) AS here, e.state,
        (SELECT CAST(q.message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Receiver.dbo.Q AS q JOIN Receiver.sys.conversation_endpoints t
            ON t.conversation_handle = q.conversation_handle WHERE t.conversation_id = @id AND q.message_type_id = 1) AS there,
        (SELECT t.state FROM Receiver.sys.conversation_endpoints t WHERE t.conversation_id = @id) AS target
    FROM sys.conversation_endpoints e WHERE e.conversation_handle = @h;
END;
GO
EXEC Try_Type 'Good';
EXEC Try_Type 'OnlyHere';
EXEC Try_Type 'NotListed';
EXEC Try_Type 'Turned';
EXEC Try_Type 'Empty';
EXEC Try_Type 'Xml';
GO
--! rows
--! NULL | CO | NULL | CO
--! rows
--! -8428 | ER | NULL | NULL
--! rows
--! -8498 | ER | NULL | NULL
--! rows
--! -8457 | ER | NULL | NULL
--! rows
--! -8430 | ER | NULL | NULL
--! rows
--! -9615 | ER | NULL | NULL
--! spec BROKERERROR-10 BROKERERROR-11 BROKERERROR-12 BROKERERROR-14 BROKERERROR-15 SYSTEMMESSAGE-7
--! spec ERROR-8498
-- On a conversation in use the receiving side fails too: -9616 there for XML, else the same code.
EXEC Try_Type 'Xml', 1;
EXEC Try_Type 'Turned', 1;
GO
--! rows
--! -9615 | ER | -9616 | ER
--! rows
--! -8457 | ER | -8457 | ER
--! spec BROKERERROR-12 BROKERERROR-15 BROKERERROR-16
--! spec ERROR-8457 ERROR-9616
-- The target sends what the initiator's contract keeps for the initiator.
USE Receiver;
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE state = 'CO');
SEND ON CONVERSATION @t MESSAGE TYPE Back (N'x');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @t AND message_type_id = 1;
USE Sender;
GO
--! rows
--! -8437
--! spec ERROR-8437
--! spec BROKERERROR-13
-- The owner of the sending service may not send to the target service: -8494.
CREATE DATABASE OneRoom;
GO
USE OneRoom;
CREATE USER Ann WITHOUT LOGIN;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE OfAnn AUTHORIZATION Ann ON QUEUE Q1;
CREATE SERVICE Ours ON QUEUE Q2 ([DEFAULT]);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE OfAnn TO SERVICE 'Ours' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int'), (SELECT COUNT(*) FROM Q2) FROM Q1;
END CONVERSATION @h;
GRANT SEND ON SERVICE::Ours TO Ann;
BEGIN DIALOG @h FROM SERVICE OfAnn TO SERVICE 'Ours' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'allowed');
SELECT CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! -8494 | 0
--! rows
--! allowed
--! spec BROKERERROR-5 CHANGE-8 DIALOG-44
-- It is asked whenever the first message is tried, also when nobody is connected.
ALTER QUEUE Q2 WITH STATUS = OFF;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE OfAnn TO SERVICE 'Ours' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
SELECT COUNT(*) FROM sys.transmission_queue;
REVOKE SEND ON SERVICE::Ours FROM Ann;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! 1
--! advance 70s
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q1;
SELECT CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! -8494
--! rows
--! allowed
-- DROP SERVICE: -8470 at the other side, the own endpoints go.
CREATE QUEUE Q3; CREATE SERVICE Short ON QUEUE Q3 ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Ours TO SERVICE 'Short' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
DROP SERVICE Short;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q2 WHERE conversation_handle = @h;
SELECT state FROM sys.conversation_endpoints WHERE far_service = 'Short' OR conversation_handle = @h;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE far_service = 'Ours' AND is_initiator = 0;
GO
--! rows
--! -8470
--! rows
--! ER
--! rows
--! 0
--! spec BROKERERROR-6 CHANGE-18
-- DROP CONTRACT at the target: -8487 at the initiator.
USE Receiver;
CREATE MESSAGE TYPE M; CREATE CONTRACT Dropped (M SENT BY ANY); ALTER SERVICE Target (ADD CONTRACT Dropped);
USE Sender;
CREATE MESSAGE TYPE M; CREATE CONTRACT Dropped (M SENT BY ANY);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' ON CONTRACT Dropped WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE M (N'x');
USE Receiver;
ALTER SERVICE Target (DROP CONTRACT Dropped);
DROP CONTRACT Dropped;
USE Sender;
GO
--! advance 70s
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(q.message_body AS xml).value('(/Error/Code)[1]', 'int'), e.state FROM sys.conversation_endpoints e
JOIN sys.service_contracts c ON c.service_contract_id = e.service_contract_id LEFT JOIN Q AS q ON q.conversation_handle = e.conversation_handle WHERE c.name = 'Dropped';
GO
--! rows
--! -8487 | ER
--! spec BROKERERROR-7 CHANGE-17
-- ERROR_BROKER_CONVERSATIONS: -9719 here, -9720 at the peers of other databases. NEW_BROKER: all gone, nobody is told.
CREATE TABLE Mine (h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
INSERT INTO Mine VALUES (@h);
GO
ALTER DATABASE Receiver SET ERROR_BROKER_CONVERSATIONS;
GO
--! advance 70s
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT DISTINCT CAST(q.message_body AS xml).value('(/Error/Code)[1]', 'int'), e.state FROM Receiver.dbo.Q AS q
JOIN Receiver.sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle JOIN sys.conversation_endpoints i ON i.conversation_id = e.conversation_id
JOIN Mine ON Mine.h = i.conversation_handle WHERE q.message_type_id = 1;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q JOIN Mine ON Mine.h = Q.conversation_handle;
GO
--! rows
--! -9719 | ER
--! rows
--! -9720
--! spec BROKERERROR-3 BROKERERROR-4 CHANGE-25 CHANGE-26
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Start TO SERVICE 'Target' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
UPDATE Mine SET h = @h;
GO
ALTER DATABASE Receiver SET NEW_BROKER;
GO
--! advance 70s
SELECT (SELECT COUNT(*) FROM Receiver.sys.conversation_endpoints), (SELECT COUNT(*) FROM Receiver.dbo.Q);
SELECT state FROM sys.conversation_endpoints JOIN Mine ON Mine.h = conversation_handle;
SELECT COUNT(*) FROM Q JOIN Mine ON Mine.h = Q.conversation_handle;
GO
--! rows
--! 0 | 0
--! rows
--! CO
--! rows
--! 0
--! spec CHANGE-24
