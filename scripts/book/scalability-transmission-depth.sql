-- Scalability paper, tip on system tables: how many messages wait for transmission?
-- The base table of the transmission queue can be read only through the dedicated administrator connection; its number
-- of rows is in the catalog for everybody, and sys.transmission_queue shows the same messages.

CREATE DATABASE SSBSender;
GO
USE SSBSender;
GO
CREATE QUEUE MySSBLabTestQueue;
CREATE SERVICE [//MySSB.com/Lab/S_Test] ON QUEUE MySSBLabTestQueue;
GO
SELECT p.rows AS [XmitQ Depth]
FROM sys.objects AS o
JOIN sys.partitions AS p ON p.object_id = o.object_id
WHERE o.name = N'sysxmitqueue';
GO
--! rows
--! columns XmitQ Depth
--! 0

-- Nobody offers this service, so two messages wait.
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE [//MySSB.com/Lab/S_Test] TO SERVICE '//MySSB.com/Lab/Nowhere' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @dh ('one');
SEND ON CONVERSATION @dh ('two');
GO
SELECT COUNT(*) AS waiting FROM sys.transmission_queue;
SELECT p.rows AS [XmitQ Depth]
FROM sys.objects AS o
JOIN sys.partitions AS p ON p.object_id = o.object_id
WHERE o.name = N'sysxmitqueue';
GO
--! rows
--! 2
--! rows
--! 2

-- An ordinary connection does not see the base table.
SELECT COUNT(*) AS [XmitQ Depth] FROM sys.sysxmitqueue;
GO
--! error 208
