-- Trace events of the broker: classes, subclasses, TextData and task counts.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Orders;
CREATE SERVICE Customer ON QUEUE Orders;
CREATE QUEUE Work;
CREATE SERVICE Seller ON QUEUE Work ([DEFAULT]);
CREATE TABLE Handles (h uniqueidentifier);
GO

-- SO: started outbound; the group is new. The first message classifies the dialog and opens its target.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Seller' WITH ENCRYPTION = OFF;
INSERT Handles VALUES (@h);
SEND ON CONVERSATION @h (N'one');
GO
--! trace Broker:Conversation Group Create
--! trace Broker:Conversation BEGIN DIALOG text SO
--! trace Broker:Conversation SEND Message text CO
--! trace Broker:Message Classify Local
--! trace Broker:Conversation Group Create
--! trace Broker:Conversation Dialog Created text CO
--! trace Broker:Conversation Received Sequenced Message text CO
--! spec TRACE-1 TRACE-6 TRACE-7 TRACE-8 TRACE-14 DIALOG-50 DIALOG-51 DIALOG-53 SEND-40
--! spec EVENT-1 EVENT-2 EVENT-6 SUBCLASS-1 SUBCLASS-6 SUBCLASS-11 SUBCLASS-12 SUBCLASS-14 SUBCLASS-24

-- A normal end: the initiator is DO, the target DI; after the target's END both sides are closed.
DECLARE @h uniqueidentifier = (SELECT h FROM Handles);
END CONVERSATION @h;
GO
--! trace Conversation END CONVERSATION text DO
--! trace Conversation Received END CONVERSATION text DI
--! spec TRACE-9 END-30 CHANGE-31 SUBCLASS-2 SUBCLASS-7

DECLARE @h uniqueidentifier;
RECEIVE TOP (1) @h = conversation_handle FROM Work;
END CONVERSATION @h;
DELETE Handles;
GO
--! trace Conversation END CONVERSATION
--! trace Conversation Group Drop
--! spec TRACE-13 SUBCLASS-15

-- An end with error: ER at the other side.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Seller' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'two');
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'no';
GO
--! trace Conversation END CONVERSATION WITH ERROR
--! trace Conversation Received END CONVERSATION WITH ERROR text ER
--! spec TRACE-10 END-31 SUBCLASS-3 SUBCLASS-8

-- Delayed: no such service yet.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Nobody' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'three');
INSERT Handles VALUES (@h);
GO
--! trace Message Classify Delayed text service
--! spec TRACE-15 SUBCLASS-26

DECLARE @h uniqueidentifier = (SELECT h FROM Handles);
END CONVERSATION @h WITH CLEANUP;
DELETE Handles;
GO
--! trace Conversation END CONVERSATION WITH CLEANUP
--! spec TRACE-11 END-32 SUBCLASS-13

-- The lifetime is over: the broker ends the conversation.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Seller' WITH ENCRYPTION = OFF, LIFETIME = 10;
SEND ON CONVERSATION @h (N'four');
GO
--! advance 11s
--! trace Conversation Broker Initiated Error text 8489
--! spec TRACE-12 SUBCLASS-4

-- Activation: one task runs when it starts, none when it has ended.
CREATE PROCEDURE Answer AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM Work;
END;
GO
CREATE PROCEDURE DoesNothing AS PRINT 'no RECEIVE';
GO
ALTER QUEUE Work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Answer, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
--! settle
--! trace Activation started tasks 1
--! trace Activation ended tasks 0
--! spec TRACE-18 EVENT-14 SUBCLASS-43 SUBCLASS-44

-- A procedure that never receives is aborted (28087).
ALTER QUEUE Work WITH ACTIVATION (STATUS = OFF);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Seller' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'five');
ALTER QUEUE Work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = DoesNothing);
GO
--! settle
--! trace Activation aborted tasks 0
--! spec SUBCLASS-45
--! log 28087

-- Five rollbacks disable the queue.
ALTER QUEUE Work WITH ACTIVATION (STATUS = OFF);
GO
BEGIN TRANSACTION;
RECEIVE TOP (1) conversation_handle FROM Work;
ROLLBACK;
GO 5
--! trace Queue Disabled
--! spec TRACE-17 POISON-15 EVENT-8

-- A reply to a side that has ended already is thrown away.
CREATE QUEUE Spare;
CREATE SERVICE Asks ON QUEUE Spare;
CREATE QUEUE Replies;
CREATE SERVICE Answers ON QUEUE Replies ([DEFAULT]);
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Answers' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'question');
RECEIVE TOP (1) @t = conversation_handle FROM Replies;
BEGIN TRANSACTION;
SEND ON CONVERSATION @t (N'answer');
GO
--! session other IN Shop
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE far_service = 'Answers');
END CONVERSATION @h;
GO
--! session main
COMMIT;
GO
SELECT RTRIM(counter_name), cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Dropped Messages Total';
GO
--! rows
--! Dropped Messages Total | 1
--! trace Message Undeliverable sequenced text closed
--! spec TRACE-19 COUNT-11 COUNTER-12 ERROR-11212 EVENT-12 SUBCLASS-41
