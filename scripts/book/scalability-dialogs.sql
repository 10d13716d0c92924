-- Scalability paper: dialogs with security, and the trick of the 150 dialogs. A row of the table behind the dialogs is
-- so short that about 144 share a page; senders on neighbouring rows get in each other's way. So 150 dialogs are begun
-- for each one that is used.
-- Corrected: the variable for the broker instance is nvarchar(128), the documented type, not uniqueidentifier; the loop
-- of the second script lacked a semicolon before SEND and counted without use.
-- One instance: two databases, and 2 used dialogs of 300 where the paper has 50 of 7500 (@used below).

:r common/scalability-databases.sql
USE SSBReceiver;
GO
:r common/scalability-objects.sql
USE SSBSender;
GO
:r common/scalability-objects.sql

-- A dialog to the other database, encrypted if it were to leave the instance.
USE SSBSender;
GO
DECLARE @service_broker_guid nvarchar(128);
-- From another server the paper fetches it through a linked server.
SELECT @service_broker_guid = CAST(service_broker_guid AS nvarchar(36))
FROM sys.databases
WHERE name = N'SSBReceiver';
DECLARE @dh uniqueidentifier;
BEGIN DIALOG @dh FROM SERVICE [//MySSB.com/Lab/S_Test]
    TO SERVICE '//MySSB.com/Lab/S_Test', @service_broker_guid
    ON CONTRACT [//MySSB.com/Lab/C_Test]
    WITH ENCRYPTION = ON;
SELECT RTRIM(state) AS state, far_service FROM sys.conversation_endpoints WHERE conversation_handle = @dh;
END CONVERSATION @dh;
GO
--! rows
--! SO | //MySSB.com/Lab/S_Test

-- Every 150th dialog is noted for use.
CREATE TABLE dbo.dialogs (id int PRIMARY KEY, handle uniqueidentifier NOT NULL);
GO
DECLARE @used int = 2;
DECLARE @service_broker_guid nvarchar(128), @i int, @k int, @dh uniqueidentifier;
SELECT @service_broker_guid = CAST(service_broker_guid AS nvarchar(36))
FROM sys.databases
WHERE name = N'SSBReceiver';
SELECT @i = 0, @k = 0;
WHILE (@i < @used * 150)
BEGIN
    SET @i = @i + 1;
    BEGIN DIALOG @dh FROM SERVICE [//MySSB.com/Lab/S_Test]
        TO SERVICE '//MySSB.com/Lab/S_Test', @service_broker_guid
        ON CONTRACT [//MySSB.com/Lab/C_Test]
        WITH ENCRYPTION = ON;
    IF ((@i % 150) = 0)
    BEGIN
        SET @k = @k + 1;
        INSERT INTO dbo.dialogs VALUES (@k, @dh);
    END;
END;
GO
SELECT COUNT(*) AS dialogs FROM sys.conversation_endpoints WHERE is_initiator = 1 AND state = 'SO';
SELECT COUNT(*) AS used
FROM dbo.dialogs AS d
JOIN sys.conversation_endpoints AS e ON e.conversation_handle = d.handle;
GO
--! rows
--! 300
--! rows
--! 2

-- One message on each, so that the rows exist at the receiver too.
DECLARE @dh uniqueidentifier;
DECLARE @s varchar(50);
SET @s = REPLICATE('x', 50);

DECLARE conv CURSOR LOCAL STATIC FOR
    SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1;
OPEN conv;
FETCH NEXT FROM conv INTO @dh;
WHILE @@FETCH_STATUS = 0
BEGIN
    SEND ON CONVERSATION @dh MESSAGE TYPE [//MySSB.com/Lab/M_Test] (@s);
    FETCH NEXT FROM conv INTO @dh;
END;
CLOSE conv;
DEALLOCATE conv;
GO
WAITFOR DELAY '00:00:01';
GO

SELECT COUNT(*) AS messages, COUNT(DISTINCT conversation_group_id) AS groups, MIN(DATALENGTH(message_body)) AS bytes
FROM SSBReceiver.dbo.MySSBLabTestQueue;
SELECT is_initiator, RTRIM(state) AS state, COUNT(*) AS endpoints
FROM SSBReceiver.sys.conversation_endpoints
GROUP BY is_initiator, state;
-- none came back to the service of the same name at home
SELECT COUNT(*) AS messages FROM SSBSender.dbo.MySSBLabTestQueue;
GO
--! rows
--! 300 | 300 | 50
--! rows
--! 0 | CO | 300
--! rows
--! 0
