-- Poison messages: what counts, POISON_MESSAGE_HANDLING OFF, several queues, recovery.
CREATE DATABASE PoisonOff;
GO
USE PoisonOff;
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE Q3; CREATE QUEUE Q4 WITH POISON_MESSAGE_HANDLING (STATUS = OFF);
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE S3 ON QUEUE Q3 ([DEFAULT]);
CREATE SERVICE S4 ON QUEUE Q4 ([DEFAULT]);
CREATE TABLE T (id int PRIMARY KEY);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'two');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S3' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'three');
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S4' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'four');
GO
CREATE VIEW Enabled AS SELECT name, is_receive_enabled AS is_on FROM sys.service_queues WHERE is_ms_shipped = 0;
GO
-- OFF: any number of rollbacks.
DECLARE @i int = 0;
WHILE @i < 10 BEGIN BEGIN TRANSACTION; RECEIVE * FROM Q4; ROLLBACK; SET @i += 1; END;
GO
--! settle
SELECT is_on FROM Enabled WHERE name = 'Q4';
GO
--! rows
--! 1
--! spec POISON-17
-- A rolled back RECEIVE that found nothing does not count; GET CONVERSATION GROUP without RECEIVE neither.
DECLARE @i int = 0, @g uniqueidentifier;
WHILE @i < 6 BEGIN BEGIN TRANSACTION; RECEIVE * FROM Q1; GET CONVERSATION GROUP @g FROM Q2; ROLLBACK; SET @i += 1; END;
GO
--! settle
SELECT COUNT(*) FROM Enabled WHERE is_on = 1;
GO
--! rows
--! 4
-- Rollbacks of every kind count: ROLLBACK, XACT_ABORT, a doomed transaction. Every queue that the transaction received from goes off.
SET XACT_ABORT ON;
GO
BEGIN TRANSACTION; RECEIVE status FROM Q2; RECEIVE status FROM Q3;
INSERT INTO T VALUES (NULL);
GO
--! error 515
SELECT @@TRANCOUNT;
SET XACT_ABORT OFF;
GO
--! rows
--! 0
BEGIN TRANSACTION; RECEIVE status FROM Q2; RECEIVE status FROM Q3;
BEGIN TRY
    DECLARE @x xml = CAST(N'<a' AS xml);
END TRY
BEGIN CATCH
    ROLLBACK;
END CATCH;
DECLARE @i int = 0;
WHILE @i < 2 BEGIN BEGIN TRANSACTION; RECEIVE status FROM Q2; RECEIVE status FROM Q3; ROLLBACK; SET @i += 1; END;
GO
--! settle
SELECT COUNT(*) FROM Enabled WHERE is_on = 1;
BEGIN TRANSACTION; RECEIVE status FROM Q2; RECEIVE status FROM Q3; ROLLBACK;
GO
--! rows
--! 4
--! rows
--! 0
--! rows
--! 0
--! settle
SELECT name, is_on FROM Enabled ORDER BY name;
GO
--! rows
--! Q1 | 1
--! Q2 | 0
--! Q3 | 0
--! Q4 | 1
--! spec POISON-5 POISON-6 POISON-7
-- No message was removed, nobody was told. Disabled over a restart.
SELECT status FROM Q2; SELECT COUNT(*) FROM Q1;
GO
--! rows
--! 1
--! rows
--! 0
--! restart
USE PoisonOff;
RECEIVE status FROM Q2;
GO
--! error 9617
--! spec POISON-14
-- Recovery: queue ON, END CONVERSATION WITH ERROR for the poisoned conversation.
ALTER QUEUE Q2 WITH STATUS = ON;
DECLARE @t uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q2);
END CONVERSATION @t WITH ERROR = 1 DESCRIPTION = N'poison';
SELECT COUNT(*) FROM Q2;
SELECT message_type_id FROM Q1;
GO
--! rows
--! 0
--! rows
--! 1
--! spec POISON-19
