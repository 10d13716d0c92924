-- sp_readerrorlog and xp_readerrorlog: LogDate, ProcessInfo, Text; what activated procedures print and do wrong is there.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
GO
CREATE PROCEDURE Worker AS
BEGIN
    DECLARE @body nvarchar(max);
    RECEIVE TOP (1) @body = CAST(message_body AS nvarchar(max)) FROM Q;
    IF @body = N'bad' THROW 50001, N'This went wrong.', 1;
    PRINT @body;
END;
GO
CREATE PROCEDURE Say @text nvarchar(100) AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@text);
END;
GO
EXEC Say N'hello';
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Worker, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
EXEC sys.sp_sbql_advance_clock '00:00:01';
EXEC sp_readerrorlog;
GO
--! rows
--! columns LogDate | ProcessInfo | Text
--! 2026-01-01 00:00:00.000 | {spid} | The activated procedure '[Shop].[dbo].[Worker]' running on the queue 'Shop.dbo.Q' gave out: 'hello'

EXEC Say N'bad';
EXEC sys.sp_sbql_advance_clock '00:00:01';
EXEC sp_readerrorlog 0, 1, N'wrong';
EXEC xp_readerrorlog 0, 1, N'gave out', NULL, '2026-01-01 00:00:01', NULL, N'desc';
EXEC sys.sp_readerrorlog @p3 = N'GAVE OUT', @p4 = N'hello';
EXEC sp_readerrorlog @p1 = 0, @p3 = N'aborted due to an error';
EXEC sp_readerrorlog 1;
GO
--! rows
--! 2026-01-01 00:00:01.000 | {other} | *
--! rows
--! 2026-01-01 00:00:01.000 | {other} | *
--! rows
--! 2026-01-01 00:00:00.000 | {spid} | *
--! rows
--! 2026-01-01 00:00:01.000 | {other} | *
--! rows

CREATE LOGIN visitor WITH PASSWORD = 'x';
USE master;
EXECUTE AS LOGIN = 'visitor';
EXEC sp_readerrorlog;
GO
--! error 15003
REVERT;
GO
EXEC sp_readerrorlog 0, 1, N'a', N'b', N'c';
GO
--! error 8144
