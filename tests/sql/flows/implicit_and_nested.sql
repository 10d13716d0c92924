-- Transactions in the ways of different authors: IMPLICIT_TRANSACTIONS, nesting with @@TRANCOUNT, savepoints of procedures, names, a
-- ROLLBACK in the middle of a procedure (266), SEND undone, RECEIVE undone, SEND that stays because only the savepoint went.
CREATE DATABASE Nest
GO
USE Nest
GO
CREATE QUEUE Q
CREATE SERVICE S ON QUEUE Q ([DEFAULT])
CREATE TABLE Kept (b nvarchar(20))
GO
CREATE PROC Say @b nvarchar(20), @fail bit = 0 AS
    SET NOCOUNT ON
    DECLARE @tc int = @@TRANCOUNT, @h uniqueidentifier
    IF @tc > 0 SAVE TRAN Say_ ELSE BEGIN TRAN
    BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF
    ;SEND ON CONVERSATION @h (@b)
    INSERT Kept VALUES (@b)
    IF @fail = 1
    BEGIN
        IF @tc > 0 ROLLBACK TRAN Say_ ELSE ROLLBACK
        RETURN 1
    END
    IF @tc = 0 COMMIT
    RETURN 0
GO
CREATE VIEW Bodies AS SELECT CAST(message_body AS nvarchar(20)) AS b FROM Q WHERE message_type_name = 'DEFAULT'
GO
BEGIN TRAN outermost
DECLARE @rc int
EXEC Say N'one'
EXEC @rc = Say N'two', 1
EXEC Say N'three'
SELECT @rc AS rc, @@TRANCOUNT AS tc, XACT_STATE() AS xs
COMMIT TRAN outermost
EXEC Say N'four', @fail = 1
SELECT b FROM Bodies ORDER BY b
SELECT b FROM Kept
SELECT COUNT(*) FROM sys.conversation_endpoints
GO
--! rows
--! 1 | 1 | 1
--! rows
--! one
--! three
--! rows
--! one
--! three
--! rows
--! 4
SET IMPLICIT_TRANSACTIONS ON
GO
DECLARE @b nvarchar(20)
RECEIVE TOP (1) @b = message_body FROM Q
SELECT @b AS b, @@TRANCOUNT AS tc
ROLLBACK
GO
--! rows
--! one | 1
DELETE Kept WHERE b = N'one'
SELECT @@TRANCOUNT
COMMIT
SET IMPLICIT_TRANSACTIONS OFF
SELECT COUNT(*) FROM Q
GO
--! rows
--! 1
--! rows
--! 2
CREATE PROC Undo AS ROLLBACK TRAN
GO
BEGIN TRAN
EXEC Undo
PRINT 'count is ' + STR(@@TRANCOUNT, 1)
GO
--! error 266
--! print count is 0
BEGIN TRAN a
BEGIN TRAN b
ROLLBACK TRAN b
GO
--! error 6401
COMMIT; COMMIT
GO
BEGIN TRY
    BEGIN TRAN
    DECLARE @h uniqueidentifier
    RECEIVE TOP (1) @h = conversation_handle FROM Q
    INSERT Kept VALUES (REPLICATE(N'x', 30))
    COMMIT
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER() AS n, XACT_STATE() AS xs, @@TRANCOUNT AS tc
    IF XACT_STATE() = 1 BEGIN END CONVERSATION @h WITH ERROR = 77 DESCRIPTION = N'too long' COMMIT END
    ELSE IF @@TRANCOUNT > 0 ROLLBACK
END CATCH
SELECT message_type_name FROM Q WHERE message_type_name <> 'DEFAULT'
GO
--! rows
--! 2628 | 1 | 1
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error
