-- A group whose last conversation has ended may be another service's, in the same transaction too: its messages come to that service's queue.
CREATE DATABASE Handed;
GO
USE Handed;
CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE QUEUE R;
CREATE SERVICE S1 ON QUEUE Q1 ([DEFAULT]); CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]); CREATE SERVICE T ON QUEUE R ([DEFAULT]);
GO
CREATE PROCEDURE Answered AS
BEGIN
    DECLARE @t uniqueidentifier;
    RECEIVE TOP (1) @t = conversation_handle FROM R;
    SEND ON CONVERSATION @t (N'answer');
END;
GO
CREATE VIEW Owners AS SELECT s.name AS of_group, o.name AS of_endpoint FROM sys.conversation_groups g JOIN sys.conversation_endpoints e ON e.conversation_group_id = g.conversation_group_id
JOIN sys.services s ON s.service_id = g.service_id JOIN sys.services o ON o.service_id = e.service_id WHERE g.conversation_group_id = '00000000-0000-0000-0000-00000000000A';
GO
-- The first of it is committed, and has an answer that nobody has read.
DECLARE @one uniqueidentifier, @two uniqueidentifier;
BEGIN DIALOG @one FROM SERVICE S1 TO SERVICE 'T' WITH RELATED_CONVERSATION_GROUP = '00000000-0000-0000-0000-00000000000A', ENCRYPTION = OFF;
SEND ON CONVERSATION @one (N'1');
EXEC Answered;
BEGIN TRANSACTION;
END CONVERSATION @one WITH CLEANUP;
BEGIN DIALOG @two FROM SERVICE S2 TO SERVICE 'T' WITH RELATED_CONVERSATION_GROUP = '00000000-0000-0000-0000-00000000000A', ENCRYPTION = OFF;
SEND ON CONVERSATION @two (N'2');
SELECT * FROM Owners;
ROLLBACK;
SELECT * FROM Owners;
SELECT (SELECT COUNT(*) FROM Q1) AS one, (SELECT COUNT(*) FROM Q2) AS two;
GO
--! rows
--! S2 | S2
--! rows
--! S1 | S1
--! rows
--! 1 | 0
-- What the rollback has put back is found, and the group is handed over for good.
DECLARE @one uniqueidentifier, @two uniqueidentifier;
RECEIVE @one = conversation_handle FROM Q1;
SELECT IIF(@one IS NULL, 'lost', 'found');
BEGIN TRANSACTION;
END CONVERSATION @one WITH CLEANUP;
BEGIN DIALOG @two FROM SERVICE S2 TO SERVICE 'T' WITH RELATED_CONVERSATION_GROUP = '00000000-0000-0000-0000-00000000000A', ENCRYPTION = OFF;
SEND ON CONVERSATION @two (N'2');
COMMIT;
EXEC Answered;
SELECT * FROM Owners;
SELECT (SELECT COUNT(*) FROM Q1) AS one, (SELECT COUNT(*) FROM Q2) AS two;
GO
--! rows
--! found
--! rows
--! S2 | S2
--! rows
--! 0 | 1
--! restart
USE Handed;
SELECT * FROM Owners;
DECLARE @two uniqueidentifier;
RECEIVE @two = conversation_handle FROM Q2;
END CONVERSATION @two WITH CLEANUP;
SELECT COUNT(*) FROM sys.conversation_groups WHERE conversation_group_id = '00000000-0000-0000-0000-00000000000A';
GO
--! rows
--! S2 | S2
--! rows
--! 0
