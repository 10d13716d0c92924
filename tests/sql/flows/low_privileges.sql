-- An application with users that may do little: one that only begins dialogs and sends, one as whom the activated procedure runs; what
-- they lack is told by the right errors, and granted step by step.
CREATE DATABASE Least;
GO
USE Least;
GO
CREATE LOGIN SenderLogin WITH PASSWORD = 'x'; CREATE USER Sender FOR LOGIN SenderLogin; CREATE USER Worker WITHOUT LOGIN; CREATE ROLE Senders; ALTER ROLE Senders ADD MEMBER Sender;
CREATE TABLE dbo.Results (n int, who sysname);
CREATE MESSAGE TYPE Num VALIDATION = NONE; CREATE CONTRACT Nums (Num SENT BY INITIATOR);
CREATE QUEUE dbo.FromQ; CREATE QUEUE dbo.ToQ;
CREATE SERVICE FromS ON QUEUE dbo.FromQ; CREATE SERVICE ToS ON QUEUE dbo.ToQ (Nums);
GO
CREATE PROCEDURE dbo.Work_ AS
BEGIN
    DECLARE @b varbinary(10), @h uniqueidentifier, @t sysname;
    RECEIVE TOP (1) @h = conversation_handle, @b = message_body, @t = message_type_name FROM dbo.ToQ;
    IF @t = N'Num' INSERT dbo.Results VALUES (CAST(@b AS int), USER_NAME());
    ELSE IF @h IS NOT NULL END CONVERSATION @h;
END
GO
CREATE PROCEDURE dbo.SendNumber @n int AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE FromS TO SERVICE 'ToS' ON CONTRACT Nums WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h MESSAGE TYPE Num (CAST(@n AS varbinary(10)));
END
GO
ALTER QUEUE dbo.ToQ WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.Work_, MAX_QUEUE_READERS = 1, EXECUTE AS 'Worker');
GO
EXECUTE AS USER = 'Sender';
EXEC dbo.SendNumber 1;
GO
--! error 229
SELECT * FROM dbo.ToQ;
GO
--! error 229
RECEIVE * FROM dbo.ToQ;
GO
--! error 229
CREATE QUEUE dbo.Mine;
GO
--! error 262
ALTER QUEUE dbo.ToQ WITH STATUS = OFF;
GO
--! error 15151
REVERT;
-- The procedure is enough for the sender: what it touches has the same owner. As whom the queue activates must be allowed to run the procedure.
GRANT EXECUTE ON dbo.SendNumber TO Senders;
EXECUTE AS LOGIN = 'SenderLogin';
EXEC dbo.SendNumber 7;
SELECT SUSER_SNAME(), USER_NAME();
REVERT;
GO
--! rows
--! SenderLogin | Sender
--! settle
--! log 9724 EXECUTE
SELECT n, who FROM dbo.Results;
SELECT CAST(message_body AS int) FROM dbo.ToQ;
GRANT EXECUTE ON dbo.Work_ TO Worker;
GO
--! rows
--! rows
--! 7
-- The monitor waits for a RECEIVE that never came: activation off and on again is the cure.
ALTER QUEUE dbo.ToQ WITH ACTIVATION (STATUS = OFF); ALTER QUEUE dbo.ToQ WITH ACTIVATION (STATUS = ON);
GO
EXECUTE AS USER = 'Sender';
EXEC dbo.SendNumber 8;
REVERT;
GO
--! advance 10s
SELECT n, who FROM dbo.Results ORDER BY n;
GO
--! rows
--! 7 | Worker
--! 8 | Worker
