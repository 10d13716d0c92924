-- Dialogs between databases of one instance: TRUSTWORTHY, and master keys with ENCRYPTION = ON.
CREATE DATABASE Left1;
CREATE DATABASE Right1;
GO
USE Right1;
CREATE QUEUE Q2;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GO
USE Left1;
CREATE QUEUE Q1;
CREATE SERVICE S1 ON QUEUE Q1;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'not trusted yet');
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT COUNT(*) FROM Right1.dbo.Q2;
SELECT CASE WHEN transmission_status LIKE '%cannot reach the database "Right1"%' THEN 916 END FROM sys.transmission_queue;
GO
--! rows
--! 1
--! rows
--! 0
--! rows
--! 916
--! spec DELAY-10
ALTER DATABASE Left1 SET TRUSTWORTHY ON;
GO
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT CAST(message_body AS nvarchar(20)), service_name FROM Right1.dbo.Q2;
GO
--! rows
--! 0
--! rows
--! not trusted yet | S2
--! spec DIALOG-15 TRUST-7
-- ENCRYPTION is ON by default: between databases it needs a master key in both.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2';
SEND ON CONVERSATION @h (N'secret');
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT CASE WHEN transmission_status = (SELECT text FROM sys.messages WHERE message_id = 28051 AND language_id = 1033) THEN 28051 END FROM sys.transmission_queue;
GO
--! rows
--! 1
--! rows
--! 28051
--! spec DELAY-11
--! spec DIALOG-34 DIALOG-36
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd-left';
GO
USE Right1;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd-right';
GO
--! advance 70s
SELECT CAST(message_body AS nvarchar(20)) FROM Q2 ORDER BY queuing_order;
GO
--! rows
--! not trusted yet
--! secret
--! spec DIALOG-36 TRUST-6
