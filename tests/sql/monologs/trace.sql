-- Trace events: GUID is the monolog's conversation id on all sides.
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
BEGIN MONOLOG @h FROM SERVICE [//m/pub] ON CONTRACT [//m/c];
INSERT INTO Handles VALUES ('pub', @h);
BEGIN SUBSCRIPTION @s FOR SERVICE [//m/one] TO SERVICE '//m/pub' ON CONTRACT [//m/c];
EXEC Say 'a';
END SUBSCRIPTION @s;
END CONVERSATION @h;
GO
--! trace Conversation BEGIN MONOLOG text SO
--! trace Conversation Subscriber Joined text //m/one
--! trace Conversation SEND Message text CO
--! trace Conversation Received Sequenced Message text CO
--! trace Conversation Subscriber Left text //m/one
--! trace Conversation Received END CONVERSATION text DI
--! trace Conversation END CONVERSATION
--! spec SUBCLASS-46..48
SELECT subclass_value, subclass_name FROM sys.trace_subclass_values WHERE trace_event_id = 124 AND subclass_value > 13;
GO
--! rows
--! 14 | BEGIN MONOLOG
--! 15 | Subscriber Joined
--! 16 | Subscriber Left
--! 17 | BEGIN CONVERSATION TIMER
--! 18 | Conversation Timer Expired
