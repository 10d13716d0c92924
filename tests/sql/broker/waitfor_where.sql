-- Sessions that wait for certain conversations of one group, while another one of the group has a message that nobody wants: they stay
-- asleep (each look takes and gives back the lock of the group), and wake for their own messages.
CREATE DATABASE Waits;
GO
--! session main IN Waits
CREATE QUEUE asks;
CREATE QUEUE work;
CREATE SERVICE [//asks] ON QUEUE asks;
CREATE SERVICE [//work] ON QUEUE work ([DEFAULT]);
CREATE TABLE handles (name char(1) PRIMARY KEY, handle uniqueidentifier, answers uniqueidentifier);
GO
DECLARE @g uniqueidentifier = NEWID(), @h uniqueidentifier, @i int = 0;
WHILE @i < 3
BEGIN
    BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH RELATED_CONVERSATION_GROUP = @g, ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'question');
    INSERT handles SELECT CHAR(97 + @i), @h, t.conversation_handle FROM sys.conversation_endpoints i
    JOIN sys.conversation_endpoints t ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 WHERE i.conversation_handle = @h;
    SET @i += 1;
END;
GO
--! session one IN Waits
DECLARE @h uniqueidentifier = (SELECT handle FROM handles WHERE name = 'a');
WAITFOR (RECEIVE CAST(message_body AS nvarchar(20)) FROM asks WHERE conversation_handle = @h);
GO
--! blocked
--! session two IN Waits
DECLARE @h uniqueidentifier = (SELECT handle FROM handles WHERE name = 'b');
WAITFOR (RECEIVE CAST(message_body AS nvarchar(20)) FROM asks WHERE conversation_handle = @h);
GO
--! blocked
--! session main
DECLARE @h uniqueidentifier = (SELECT answers FROM handles WHERE name = 'c');
SEND ON CONVERSATION @h (N'for nobody');
GO
--! settle
SELECT COUNT(*) FROM asks;
SELECT COUNT(*) FROM sys.dm_exec_requests WHERE wait_type = 'BROKER_RECEIVE_WAITFOR';
GO
--! rows
--! 1
--! rows
--! 2
DECLARE @h uniqueidentifier = (SELECT answers FROM handles WHERE name = 'b');
SEND ON CONVERSATION @h (N'for two');
SET @h = (SELECT answers FROM handles WHERE name = 'a');
SEND ON CONVERSATION @h (N'for one');
GO
--! session two
--! finishes
--! rows
--! for two
--! session one
--! finishes
--! rows
--! for one
