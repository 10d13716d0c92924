-- sys.sp_sbql_advance_clock: time that a script owns. Timers, lifetimes, retries and the 5-second rule happen on the way.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE QUEUE Q;
CREATE SERVICE A ON QUEUE Q;
CREATE SERVICE B ON QUEUE Q ([DEFAULT]);
CREATE TABLE Log (at datetime, what sysname);
GO
SELECT GETUTCDATE() AS before;
EXEC sys.sp_sbql_advance_clock '00:05:00';
SELECT GETUTCDATE() AS later;
EXEC sp_sbql_advance_clock @time = '1.00:00:00.5';
SELECT GETUTCDATE() AS much_later;
GO
--! rows
--! 2026-01-01 00:00:00.000
--! rows
--! 2026-01-01 00:05:00.000
--! rows
--! 2026-01-02 00:05:00.500

-- An activated procedure sees each timer at its moment, and has done its work when the clock has been moved.
CREATE PROCEDURE OnTimer AS
BEGIN
    DECLARE @h uniqueidentifier, @type sysname;
    RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name FROM Q;
    IF @h IS NOT NULL INSERT Log VALUES (GETUTCDATE(), @type);
END;
GO
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = OnTimer, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
DECLARE @h uniqueidentifier, @other uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF;
BEGIN DIALOG @other FROM SERVICE A TO SERVICE 'B' WITH ENCRYPTION = OFF, LIFETIME = 90;
BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60;
EXEC sys.sp_sbql_advance_clock '00:01:00';
SELECT at, what FROM Log;
EXEC sys.sp_sbql_advance_clock '00:01';
SELECT at, what FROM Log ORDER BY at;
GO
--! rows
--! 2026-01-02 00:06:00.500 | http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer
--! rows
--! 2026-01-02 00:06:00.500 | http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer
--! 2026-01-02 00:06:30.500 | http://schemas.microsoft.com/SQL/ServiceBroker/Error

-- What is not a time.
EXEC sys.sp_sbql_advance_clock 'soon';
GO
--! error 241
EXEC sys.sp_sbql_advance_clock;
GO
--! error 201

-- Two sessions may move the clock at once: each waits for its own moment.
--! session a
EXEC sys.sp_sbql_advance_clock '00:00:10';
SELECT GETUTCDATE() AS now;
GO
--! blocked
--! session b
EXEC sys.sp_sbql_advance_clock '00:00:20';
SELECT GETUTCDATE() AS now;
GO
--! rows
--! 2026-01-02 00:07:20.500
--! session a
--! finishes
--! rows
--! 2026-01-02 00:07:10.500
