-- What a transaction holds together, what its rollback gives back, and what dooms it.
CREATE DATABASE Rules;
GO
--! session main IN Rules
CREATE QUEUE asks;
CREATE QUEUE work;
CREATE SERVICE [//asks] ON QUEUE asks;
CREATE SERVICE [//work] ON QUEUE work ([DEFAULT]);
CREATE TABLE handles (name varchar(10) PRIMARY KEY, handle uniqueidentifier);
GO
CREATE PROCEDURE ask @body nvarchar(40), @name varchar(10) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@body);
    INSERT handles VALUES (@name, @h);
END;
GO
-- BEGIN DIALOG and SEND: gone with the rollback; the variable keeps a dead handle.
DECLARE @h uniqueidentifier;
BEGIN TRANSACTION;
BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'never');
SELECT COUNT(*) FROM sys.conversation_groups;
ROLLBACK;
SELECT @@TRANCOUNT, COUNT(*) FROM sys.conversation_endpoints;
SELECT COUNT(*) FROM sys.conversation_groups;
SELECT COUNT(*) FROM work;
SEND ON CONVERSATION @h (N'to nobody');
GO
--! rows
--! 2
--! rows
--! 0 | 0
--! rows
--! 0
--! rows
--! 0
--! error 8426
--! spec TRANSACTION-1 TRANSACTION-3 ROLLBACK-4 ROLLBACK-5 ROLLBACK-8
-- Sequence numbers are used again; nobody else sees what is not committed; what others send stays.
EXEC ask N'one', 'a';
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT handle FROM handles WHERE name = 'a');
SEND ON CONVERSATION @a (N'undone');
GO
--! session other IN Rules
SELECT message_sequence_number FROM work;
EXEC ask N'of another', 'b';
GO
--! rows
--! 0
--! spec TRANSACTION-7
--! session main
ROLLBACK;
DECLARE @a uniqueidentifier = (SELECT handle FROM handles WHERE name = 'a');
SEND ON CONVERSATION @a (N'two');
SELECT message_sequence_number, CAST(message_body AS nvarchar(40)) FROM work ORDER BY 2;
GO
--! rows
--! 0 | of another
--! 0 | one
--! 1 | two
--! spec ROLLBACK-3 ROLLBACK-6 TRANSACTION-8
-- RECEIVE: the message is back as it was.
DECLARE @before bigint = (SELECT queuing_order FROM work WHERE CAST(message_body AS nvarchar(40)) = N'one');
BEGIN TRANSACTION;
RECEIVE CAST(message_body AS nvarchar(40)) FROM work WHERE conversation_handle = (SELECT conversation_handle FROM work WHERE queuing_order = @before);
GO
--! error 102
-- (RECEIVE takes a variable, no subquery: that was a syntax error, and nothing ran.)
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
DECLARE @before bigint, @h uniqueidentifier;
SELECT @before = queuing_order, @h = conversation_handle FROM work WHERE CAST(message_body AS nvarchar(40)) = N'one';
BEGIN TRANSACTION;
RECEIVE CAST(message_body AS nvarchar(40)) FROM work WHERE conversation_handle = @h;
SELECT COUNT(*) FROM work WHERE conversation_handle = @h;
ROLLBACK;
SELECT status, queuing_order - @before FROM work WHERE CAST(message_body AS nvarchar(40)) = N'one';
GO
--! rows
--! one
--! two
--! rows
--! 0
--! rows
--! 1 | 0
--! spec TRANSACTION-4 ROLLBACK-1 ROLLBACK-2
-- Timer, group and END come back.
DECLARE @a uniqueidentifier = (SELECT handle FROM handles WHERE name = 'a'), @b uniqueidentifier = (SELECT handle FROM handles WHERE name = 'b');
DECLARE @mine uniqueidentifier = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @a);
DECLARE @its uniqueidentifier = (SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @b);
BEGIN CONVERSATION TIMER (@a) TIMEOUT = 100;
DECLARE @timer datetime = (SELECT dialog_timer FROM sys.conversation_endpoints WHERE conversation_handle = @a);
BEGIN TRANSACTION;
BEGIN CONVERSATION TIMER (@a) TIMEOUT = 500;
MOVE CONVERSATION @a TO @its;
SELECT IIF(conversation_group_id = @its, 'moved', 'not'), DATEDIFF(second, @timer, dialog_timer) FROM sys.conversation_endpoints WHERE conversation_handle = @a;
END CONVERSATION @a;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @a;
ROLLBACK;
SELECT IIF(conversation_group_id = @mine, 'back', 'not'), DATEDIFF(second, @timer, dialog_timer), state FROM sys.conversation_endpoints WHERE conversation_handle = @a;
SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Broker Transaction Rollbacks';
GO
--! rows
--! moved | 400
--! rows
--! DO
--! rows
--! back | 0 | CO
--! rows
--! 4
--! spec TRANSACTION-2 TRANSACTION-5 TRANSACTION-6 ROLLBACK-7
-- Nested transactions are a count; a savepoint gives back what was received after it.
BEGIN TRANSACTION;
BEGIN TRANSACTION;
RECEIVE TOP (1) CAST(message_body AS nvarchar(40)) FROM work;
COMMIT;
SELECT @@TRANCOUNT;
ROLLBACK;
SELECT COUNT(*), @@TRANCOUNT FROM work;
BEGIN TRANSACTION;
SAVE TRANSACTION here;
RECEIVE TOP (1) CAST(message_body AS nvarchar(40)) FROM work;
ROLLBACK TRANSACTION here;
SELECT COUNT(*), @@TRANCOUNT FROM work;
COMMIT;
GO
--! rows
--! one
--! rows
--! 1
--! rows
--! 3 | 0
--! rows
--! one
--! rows
--! 3 | 1
--! spec ROLLBACK-9 ROLLBACK-10
COMMIT;
GO
--! error 3902
ROLLBACK;
GO
--! error 3903
--! spec DOOM-8
-- ALTER DATABASE and CREATE ENDPOINT stay out of transactions; DDL for broker objects does not.
BEGIN TRANSACTION;
ALTER DATABASE Rules SET DISABLE_BROKER;
GO
--! error 226
--! spec TRANSACTION-14
IF @@TRANCOUNT > 0 ROLLBACK;
BEGIN TRANSACTION;
CREATE ENDPOINT door STATE = STOPPED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! error 574
--! spec TRANSACTION-15
IF @@TRANCOUNT > 0 ROLLBACK;
BEGIN TRANSACTION;
CREATE MESSAGE TYPE [//undone];
ROLLBACK;
SELECT COUNT(*) FROM sys.service_message_types WHERE name = '//undone';
GO
--! rows
--! 0
--! spec TRANSACTION-13
-- An error of SEND: the statement's under XACT_ABORT OFF, the transaction's under ON.
DECLARE @b uniqueidentifier = (SELECT handle FROM handles WHERE name = 'b');
END CONVERSATION @b;
BEGIN TRANSACTION;
SEND ON CONVERSATION @b (N'too late');
SELECT XACT_STATE(), @@TRANCOUNT;
COMMIT;
GO
--! error 8429
--! rows
--! 1 | 1
--! spec DOOM-1
SET XACT_ABORT ON;
GO
DECLARE @b uniqueidentifier = (SELECT handle FROM handles WHERE name = 'b');
BEGIN TRANSACTION;
SEND ON CONVERSATION @b (N'too late');
SELECT 'not reached';
GO
--! error 8429
SELECT @@TRANCOUNT;
SET XACT_ABORT OFF;
GO
--! rows
--! 0
--! spec DOOM-2
-- A body that is no XML: doomed, also in TRY. Every write is refused, COMMIT too; a new transaction may end the conversation.
DECLARE @h uniqueidentifier, @body varbinary(max), @x xml;
BEGIN TRANSACTION;
RECEIVE TOP (1) @h = conversation_handle, @body = message_body FROM work;
BEGIN TRY
    SET @x = CAST(CAST(N'<open>' AS varbinary(max)) AS xml);
END TRY
BEGIN CATCH
    SELECT XACT_STATE();
    BEGIN TRY
        SEND ON CONVERSATION @h (N'reply');
    END TRY
    BEGIN CATCH
        SELECT ERROR_NUMBER();
    END CATCH;
    BEGIN TRY
        COMMIT;
    END TRY
    BEGIN CATCH
        SELECT ERROR_NUMBER();
    END CATCH;
    ROLLBACK;
    BEGIN TRANSACTION;
    END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = 'unreadable';
    COMMIT;
END CATCH;
SELECT message_type_id FROM asks WHERE message_type_id = 1;
GO
--! rows
--! -1
--! rows
--! 3930
--! rows
--! 3930
--! rows
--! 1
--! spec DOOM-3 DOOM-4 DOOM-5 DOOM-9
-- Doomed to the end of the batch: rolled back, 3998.
WHILE EXISTS (SELECT * FROM work) RECEIVE status FROM work;
EXEC ask N'again', 'c';
BEGIN TRANSACTION;
BEGIN TRY
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM work;
    DECLARE @x xml = CAST(N'<open>' AS xml);
END TRY
BEGIN CATCH
END CATCH;
GO
--! error 3998
SELECT @@TRANCOUNT, COUNT(*) FROM work;
GO
--! rows
--! 0 | 1
--! spec DOOM-10
-- The group is free after a rollback: another reader takes the message. A savepoint behind the RECEIVE consumes it.
BEGIN TRANSACTION;
RECEIVE TOP (1) CAST(message_body AS nvarchar(40)) FROM work;
GO
--! rows
--! again
--! session other
RECEIVE TOP (1) CAST(message_body AS nvarchar(40)) FROM work;
GO
--! rows
--! spec TRANSACTION-9
--! session main
ROLLBACK;
GO
--! session other
RECEIVE TOP (1) CAST(message_body AS nvarchar(40)) FROM work;
GO
--! rows
--! again
--! spec DOOM-6
--! session main
CREATE TABLE failures (body nvarchar(40));
EXEC ask N'bad', 'd';
GO
DECLARE @body nvarchar(40);
BEGIN TRANSACTION;
RECEIVE TOP (1) @body = message_body FROM work;
SAVE TRANSACTION received;
BEGIN TRY
    INSERT handles VALUES ('a', NULL);
END TRY
BEGIN CATCH
    ROLLBACK TRANSACTION received;
    INSERT failures VALUES (@body);
END CATCH;
COMMIT;
GO
EXEC ask N'bad', 'e';
GO
SELECT body FROM failures;
GO
--! rows
--! bad
--! spec DOOM-7
-- Delayed durability: allowed where the database allows it, and hardened by sp_flush_log.
ALTER DATABASE Rules SET DELAYED_DURABILITY = ALLOWED;
GO
BEGIN TRANSACTION;
EXEC ask N'delayed', 'f';
COMMIT TRANSACTION WITH (DELAYED_DURABILITY = ON);
EXEC sys.sp_flush_log;
SELECT COUNT(*) FROM handles WHERE name = 'f';
GO
--! rows
--! 1
--! spec DURABLE-1 DURABLE-2
