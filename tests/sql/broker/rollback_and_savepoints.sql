-- Messages, endpoints and table rows are one transaction.
CREATE DATABASE Undo;
GO
USE Undo;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE T (id int PRIMARY KEY, note varchar(20));
GO
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
INSERT INTO T VALUES (1, 'one');
SAVE TRANSACTION here;
SEND ON CONVERSATION @h (N'two');
INSERT INTO T VALUES (2, 'two');
ROLLBACK TRANSACTION here;
SEND ON CONVERSATION @h (N'three');
INSERT INTO T VALUES (3, 'three');
COMMIT;
SELECT message_sequence_number, CAST(message_body AS nvarchar(10)) FROM Q2 ORDER BY queuing_order;
SELECT id, note FROM T ORDER BY id;
GO
--! rows
--! 0 | one
--! 1 | three
--! rows
--! 1 | one
--! 3 | three
-- A failing INSERT undoes itself only; the received message stays received and the transaction commits.
BEGIN TRANSACTION;
DECLARE @b nvarchar(10);
RECEIVE TOP (1) @b = message_body FROM Q2;
INSERT INTO T VALUES (3, @b);
INSERT INTO T VALUES (4, @b);
COMMIT;
SELECT id, note FROM T ORDER BY id;
SELECT CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! error 2627
--! rows
--! 1 | one
--! 3 | three
--! 4 | one
--! rows
--! three
-- ROLLBACK gives the message back with its queuing order, and takes the reply away.
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier;
RECEIVE TOP (1) @h = conversation_handle FROM Q2;
SEND ON CONVERSATION @h (N'reply');
END CONVERSATION @h;
INSERT INTO T VALUES (5, 'gone');
ROLLBACK;
SELECT CAST(message_body AS nvarchar(10)), status FROM Q2;
SELECT COUNT(*) FROM Q1;
SELECT state FROM sys.conversation_endpoints ORDER BY is_initiator;
SELECT COUNT(*) FROM T WHERE id = 5;
GO
--! rows
--! three | 1
--! rows
--! 0
--! rows
--! CO
--! CO
--! rows
--! 0
--! spec RECEIVE-41 END-34 SEND-44 TRANSACTION-10
-- A conversion error dooms the transaction, even in TRY: only ROLLBACK is left.
BEGIN TRANSACTION;
DECLARE @x xml;
BEGIN TRY
    INSERT INTO T VALUES (6, 'doomed');
    SET @x = CAST(N'<broken' AS xml);
END TRY
BEGIN CATCH
    SELECT XACT_STATE(), @@TRANCOUNT;
    BEGIN TRY
        INSERT INTO T VALUES (7, 'refused');
    END TRY
    BEGIN CATCH
        SELECT ERROR_NUMBER();
    END CATCH;
    ROLLBACK;
END CATCH;
SELECT COUNT(*) FROM T WHERE id IN (6, 7);
SELECT @@TRANCOUNT;
GO
--! rows
--! -1 | 1
--! rows
--! 3930
--! rows
--! 0
--! rows
--! 0
