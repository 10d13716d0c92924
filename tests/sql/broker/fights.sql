-- Sessions that want the same group: time-outs, RECEIVE WHERE, crosswise RECEIVEs, WAITFOR inside a transaction.
CREATE DATABASE Fights;
GO
USE Fights;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE TABLE G (name char(1) PRIMARY KEY, g uniqueidentifier, h uniqueidentifier);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'a1'); SEND ON CONVERSATION @h (N'a2');
INSERT INTO G SELECT TOP (1) 'a', conversation_group_id, conversation_handle FROM Q2 ORDER BY queuing_order DESC;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'b1'); SEND ON CONVERSATION @h (N'b2');
INSERT INTO G SELECT TOP (1) 'b', conversation_group_id, conversation_handle FROM Q2 ORDER BY queuing_order DESC;
GO
-- LOCK_TIMEOUT counts for a group that is named.
--! session one IN Fights
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT g FROM G WHERE name = 'a');
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_group_id = @a;
GO
--! rows
--! a1
--! session two IN Fights
SET LOCK_TIMEOUT 1000;
DECLARE @a uniqueidentifier = (SELECT h FROM G WHERE name = 'a');
RECEIVE TOP (1) CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_handle = @a;
GO
--! error 1222
--! spec LOCK-18
SET LOCK_TIMEOUT -1;
GO
-- GET CONVERSATION GROUP skips the locked group and takes the other one; successive calls may lock more.
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier;
GET CONVERSATION GROUP @g FROM Q2;
SELECT name FROM G WHERE g = @g;
GO
--! rows
--! b
--! spec GETGROUP-12 LOCK-13
-- Crosswise: two wants a, one wants b. One of them is the victim (1205), its messages are back.
DECLARE @a uniqueidentifier = (SELECT g FROM G WHERE name = 'a');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_group_id = @a;
GO
--! blocked
--! session one
DECLARE @b uniqueidentifier = (SELECT g FROM G WHERE name = 'b');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_group_id = @b;
GO
--! error 1205
SELECT @@TRANCOUNT;
GO
--! rows
--! 0
--! spec DOOM-11
--! session two
--! finishes
--! rows
--! a1
--! a2
ROLLBACK;
GO
-- A WAITFOR holds its transaction open: what it received before stays locked while it waits.
--! session one
BEGIN TRANSACTION;
DECLARE @a uniqueidentifier = (SELECT g FROM G WHERE name = 'a');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2 WHERE conversation_group_id = @a;
WAITFOR (RECEIVE CAST(message_body AS nvarchar(10)) FROM Q1), TIMEOUT 60000;
COMMIT;
GO
--! blocked
--! session two
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! b1
--! b2
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
DECLARE @b uniqueidentifier = (SELECT h FROM G WHERE name = 'b');
SEND ON CONVERSATION @b (N'to Q1');
GO
--! rows
--! spec WAITFOR-15
--! session one
--! finishes
--! rows
--! a1
--! a2
--! rows
--! to Q1
-- Messages that arrive for a group while its lock is held are seen by the holder's next RECEIVE.
BEGIN TRANSACTION;
DECLARE @g uniqueidentifier = (SELECT g FROM G WHERE name = 'a');
DECLARE @h uniqueidentifier = (SELECT i.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t
    ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 JOIN G ON G.h = t.conversation_handle AND G.name = 'a' WHERE i.is_initiator = 1);
RECEIVE status FROM Q2 WHERE conversation_group_id = @g;
GO
--! rows
--! session two
DECLARE @h uniqueidentifier = (SELECT i.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t
    ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 JOIN G ON G.h = t.conversation_handle AND G.name = 'a' WHERE i.is_initiator = 1);
SEND ON CONVERSATION @h (N'a3');
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
GO
--! rows
--! session one
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
COMMIT;
GO
--! rows
--! a3
-- END of the target while the initiator sends in another transaction: nothing is lost and nobody hangs.
--! session one
BEGIN TRANSACTION;
DECLARE @t uniqueidentifier = (SELECT h FROM G WHERE name = 'a');
END CONVERSATION @t;
GO
--! session two
DECLARE @h uniqueidentifier = (SELECT i.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t
    ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 JOIN G ON G.h = t.conversation_handle AND G.name = 'a' WHERE i.is_initiator = 1);
SEND ON CONVERSATION @h (N'a4');
GO
--! session one
ROLLBACK;
GO
--! advance 70s
RECEIVE CAST(message_body AS nvarchar(10)) FROM Q2;
SELECT COUNT(*) FROM sys.transmission_queue;
GO
--! rows
--! a4
--! rows
--! 0
-- The end of a session rolls its transaction back and frees the group.
BEGIN TRANSACTION;
DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1);
SEND ON CONVERSATION @h (N'never');
GO
--! restart
USE Fights;
SELECT COUNT(*) FROM Q2;
SELECT COUNT(*) FROM sys.conversation_endpoints;
GO
--! rows
--! 0
--! rows
--! 4
--! spec LOCK-19
