-- Which rollbacks count as poison: deadlocks, lost conversations of different messages, empty RECEIVEs; and what begins the count anew.
CREATE DATABASE Rules;
GO
--! session main IN Rules
CREATE QUEUE asks;
CREATE QUEUE work;
CREATE SERVICE [//asks] ON QUEUE asks;
CREATE SERVICE [//work] ON QUEUE work ([DEFAULT]);
CREATE TABLE groups (name char(1) PRIMARY KEY, id uniqueidentifier);
GO
CREATE PROCEDURE ask @body nvarchar(10) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@body);
    INSERT groups SELECT LEFT(@body, 1), conversation_group_id FROM work WHERE CAST(message_body AS nvarchar(10)) = @body;
END;
GO
CREATE PROCEDURE fail @name char(1) AS
BEGIN
    DECLARE @g uniqueidentifier = (SELECT id FROM groups WHERE name = @name);
    BEGIN TRANSACTION;
    RECEIVE TOP (1) status FROM work WHERE conversation_group_id = @g;
    ROLLBACK;
END;
GO
CREATE VIEW work_is_on AS SELECT is_receive_enabled AS yes FROM sys.service_queues WHERE name = 'work';
GO
EXEC ask N'a'; EXEC ask N'b'; EXEC ask N'c'; EXEC ask N'd'; EXEC ask N'e';
GO
-- Four, then STATUS = ON, which begins the count anew: four more do not switch it off.
EXEC fail 'a'; EXEC fail 'a'; EXEC fail 'a'; EXEC fail 'a';
SELECT yes FROM work_is_on;
ALTER QUEUE work WITH STATUS = OFF;
ALTER QUEUE work WITH STATUS = ON;
EXEC fail 'a'; EXEC fail 'a'; EXEC fail 'a'; EXEC fail 'a';
GO
--! settle
SELECT yes FROM work_is_on;
GO
--! rows
--! 1
--! spec POISON-2 POISON-20
-- The fifth, of yet another message.
ALTER QUEUE work WITH STATUS = OFF;
ALTER QUEUE work WITH STATUS = ON;
EXEC fail 'a'; EXEC fail 'b'; EXEC fail 'c'; EXEC fail 'd'; EXEC fail 'e';
GO
--! settle
SELECT yes FROM work_is_on;
GO
--! rows
--! 0
--! spec POISON-1 POISON-11
-- A WAITFOR (RECEIVE) that times out and rolls back is not counted: on an empty queue, ten times.
CREATE QUEUE empty;
GO
BEGIN TRANSACTION;
WAITFOR (RECEIVE status FROM empty), TIMEOUT 10;
ROLLBACK;
GO 10
--! settle
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'empty';
ALTER QUEUE work WITH STATUS = ON;
GO
--! rows
--! 1
--! spec POISON-10
-- The victim of a deadlock: four rollbacks, and the fifth is error 1205.
EXEC fail 'b'; EXEC fail 'b'; EXEC fail 'b'; EXEC fail 'b';
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier = (SELECT id FROM groups WHERE name = 'a');
RECEIVE status FROM work WHERE conversation_group_id = @g;
GO
--! session other IN Rules
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier = (SELECT id FROM groups WHERE name = 'b');
GET CONVERSATION GROUP @g FROM work;
DECLARE @b uniqueidentifier = (SELECT id FROM groups WHERE name = 'b');
RECEIVE status FROM work WHERE conversation_group_id = @b;
DECLARE @a uniqueidentifier = (SELECT id FROM groups WHERE name = 'a');
RECEIVE status FROM work WHERE conversation_group_id = @a;
GO
--! blocked
--! session main
SELECT yes FROM work_is_on;
GO
--! rows
--! 1
DECLARE @b uniqueidentifier = (SELECT id FROM groups WHERE name = 'b');
RECEIVE status FROM work WHERE conversation_group_id = @b;
GO
--! error 1205
--! finishes other
--! rows
--! 0
--! error 9617
SELECT yes FROM work_is_on;
SELECT COUNT(*) FROM work;
SELECT COUNT(*) FROM asks;
GO
--! rows
--! 0
--! rows
--! 5
--! rows
--! 0
--! spec POISON-8 POISON-12 POISON-13
