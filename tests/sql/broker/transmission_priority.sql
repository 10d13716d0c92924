-- What waits in sys.transmission_queue: its columns, and the order in which it leaves, with HONOR_BROKER_PRIORITY and without.
CREATE DATABASE Wait1;
CREATE DATABASE Elsewhere;
GO
USE Wait1;
CREATE CONTRACT High ([DEFAULT] SENT BY ANY); CREATE CONTRACT Low ([DEFAULT] SENT BY ANY);
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT], High, Low);
CREATE BROKER PRIORITY H FOR CONVERSATION SET (CONTRACT_NAME = High, LOCAL_SERVICE_NAME = S1, PRIORITY_LEVEL = 9);
CREATE BROKER PRIORITY L FOR CONVERSATION SET (CONTRACT_NAME = Low, LOCAL_SERVICE_NAME = S1, PRIORITY_LEVEL = 1);
GO
CREATE PROCEDURE Fill AS
BEGIN
    DECLARE @low uniqueidentifier, @middle uniqueidentifier, @high uniqueidentifier;
    BEGIN DIALOG @low FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT Low WITH ENCRYPTION = OFF;
    BEGIN DIALOG @middle FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    BEGIN DIALOG @high FROM SERVICE S1 TO SERVICE 'S2' ON CONTRACT High WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @low (N'low 1'); SEND ON CONVERSATION @middle (N'middle'); SEND ON CONVERSATION @low (N'low 2');
    SEND ON CONVERSATION @high (N'high 1'); SEND ON CONVERSATION @high (N'high 2');
END;
GO
CREATE PROCEDURE Arrived AS
BEGIN
    SELECT CAST(message_body AS nvarchar(10)) FROM Q2 ORDER BY queuing_order;
    WHILE EXISTS (SELECT * FROM Q2) BEGIN DECLARE @t uniqueidentifier; RECEIVE @t = conversation_handle FROM Q2; END;
END;
GO
-- Direct delivery: as it is sent, though the levels differ and are honored.
ALTER DATABASE Wait1 SET HONOR_BROKER_PRIORITY ON;
EXEC Fill;
EXEC Arrived;
GO
--! rows
--! low 1
--! middle
--! low 2
--! high 1
--! high 2
--! spec LEVEL-4
-- OFF: all levels count as 5, the conversations go in the order in which they began to wait. The level is shown nevertheless.
ALTER DATABASE Wait1 SET HONOR_BROKER_PRIORITY OFF;
ALTER QUEUE Q2 WITH STATUS = OFF;
EXEC Fill;
SELECT CAST(message_body AS nvarchar(10)), priority, message_sequence_number FROM sys.transmission_queue ORDER BY priority, message_sequence_number;
SELECT COUNT(DISTINCT transmission_status), MIN(CASE WHEN transmission_status = GET_TRANSMISSION_STATUS(conversation_handle) THEN 'same' ELSE 'other' END)
FROM sys.transmission_queue;
SELECT COUNT(*) FROM Elsewhere.sys.transmission_queue;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! rows
--! low 1 | 1 | 0
--! low 2 | 1 | 1
--! middle | 5 | 0
--! high 1 | 9 | 0
--! high 2 | 9 | 1
--! rows
--! 1 | same
--! rows
--! 0
--! spec LEVEL-5 PENDING-7 PENDING-8 XMITSTATUS-5
--! advance 70s
EXEC Arrived;
GO
--! rows
--! low 1
--! low 2
--! middle
--! high 1
--! high 2
--! spec LEVEL-3 PENDING-9
-- ON, also when it is turned on while the messages wait: the highest level first.
ALTER QUEUE Q2 WITH STATUS = OFF;
EXEC Fill;
ALTER DATABASE Wait1 SET HONOR_BROKER_PRIORITY ON;
ALTER QUEUE Q2 WITH STATUS = ON;
GO
--! advance 70s
EXEC Arrived;
GO
--! rows
--! high 1
--! high 2
--! middle
--! low 1
--! low 2
--! spec LEVEL-2 LEVEL-6
-- The reason changes for all rows of a conversation; Error and EndDialog rows are marked.
ALTER QUEUE Q2 WITH STATUS = OFF;
DECLARE @a uniqueidentifier, @b uniqueidentifier;
BEGIN DIALOG @a FROM SERVICE S1 TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @a (N'1'); SEND ON CONVERSATION @a (N'2');
BEGIN DIALOG @b FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
ALTER QUEUE Q2 WITH STATUS = ON;
SEND ON CONVERSATION @b (N'there');
ALTER QUEUE Q2 WITH STATUS = OFF;
SEND ON CONVERSATION @b (N'waits');
END CONVERSATION @b WITH ERROR = 7 DESCRIPTION = N'seven';
SELECT is_conversation_error, is_end_of_dialog, message_type_name, CAST(message_body AS xml).value('(//*:Code)[1]', 'int'),
    CASE WHEN to_broker_instance = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Wait1') THEN 'the target' END
FROM sys.transmission_queue WHERE to_service_name = 'S2' AND is_conversation_error = 1;
SELECT CAST(message_body AS nvarchar(10)), is_conversation_error, is_end_of_dialog FROM sys.transmission_queue WHERE is_conversation_error = 0 ORDER BY message_sequence_number;
GO
--! rows
--! 1 | 0 | http://schemas.microsoft.com/SQL/ServiceBroker/Error | 7 | the target
--! rows
--! 1 | 0 | 0
--! 2 | 0 | 0
--! spec PENDING-3 PENDING-5 END-9
CREATE QUEUE Q3 WITH STATUS = OFF;
CREATE SERVICE Nobody ON QUEUE Q3 ([DEFAULT]);
GO
--! advance 70s
SELECT COUNT(*), COUNT(DISTINCT transmission_status), MIN(CASE WHEN transmission_status = GET_TRANSMISSION_STATUS(conversation_handle) THEN 'same' ELSE 'other' END)
FROM sys.transmission_queue WHERE to_service_name = 'Nobody';
GO
--! rows
--! 2 | 1 | same
--! spec PENDING-7
-- A low group with many messages is taken as a whole by a RECEIVE without TOP; a high message has to wait for the next one.
CREATE QUEUE Q4; CREATE SERVICE S4 ON QUEUE Q4 (High, Low);
CREATE BROKER PRIORITY TL FOR CONVERSATION SET (CONTRACT_NAME = Low, LOCAL_SERVICE_NAME = S4, PRIORITY_LEVEL = 2);
CREATE BROKER PRIORITY TH FOR CONVERSATION SET (CONTRACT_NAME = High, LOCAL_SERVICE_NAME = S4, PRIORITY_LEVEL = 8);
CREATE TABLE Dialogs (low uniqueidentifier, high uniqueidentifier);
GO
DECLARE @low uniqueidentifier, @high uniqueidentifier;
BEGIN DIALOG @low FROM SERVICE S1 TO SERVICE 'S4' ON CONTRACT Low WITH ENCRYPTION = OFF;
BEGIN DIALOG @high FROM SERVICE S1 TO SERVICE 'S4' ON CONTRACT High WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @low (N'low 1'); SEND ON CONVERSATION @low (N'low 2'); SEND ON CONVERSATION @high (N'high 1');
DECLARE @tl uniqueidentifier, @th uniqueidentifier, @g uniqueidentifier;
SELECT @tl = conversation_handle, @g = conversation_group_id FROM Q4 WHERE priority = 2;
SELECT @th = conversation_handle FROM Q4 WHERE priority = 8;
MOVE CONVERSATION @th TO @g;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q4 WHERE conversation_handle = @th;
INSERT INTO Dialogs VALUES (@low, @high);
GO
--! rows
--! high 1
BEGIN TRANSACTION;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q4;
GO
--! rows
--! low 1
--! low 2
--! session two IN Wait1
DECLARE @high uniqueidentifier = (SELECT high FROM Dialogs);
SEND ON CONVERSATION @high (N'high 2');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q4;
GO
--! rows
--! spec LEVEL-7 LOCK-13
--! session main
COMMIT;
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q4;
GO
--! rows
--! high 2
