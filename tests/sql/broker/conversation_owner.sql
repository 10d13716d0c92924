-- Who may end and move a conversation: the owner of its service, who receives on its queue, db_owner; nobody else.
CREATE DATABASE Owners;
GO
USE Owners;
CREATE USER Owner WITHOUT LOGIN; CREATE USER Reader WITHOUT LOGIN; CREATE USER Other WITHOUT LOGIN; CREATE USER Admin WITHOUT LOGIN;
ALTER ROLE db_owner ADD MEMBER Admin;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 AUTHORIZATION Owner ON QUEUE Q1;
CREATE SERVICE S3 AUTHORIZATION Other ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
GRANT RECEIVE ON Q1 TO Reader;
GRANT SEND ON SERVICE::S2 TO Owner;
CREATE TABLE H (n int IDENTITY, h uniqueidentifier);
GRANT SELECT ON H TO public;
GO
DECLARE @i int = 0, @h uniqueidentifier;
WHILE @i < 6
BEGIN
    BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h;
    INSERT INTO H (h) VALUES (@h);
    SET @i += 1;
END;
GO
EXECUTE AS USER = 'Other';
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE n = 1);
END CONVERSATION @h;
GO
--! error 229 text RECEIVE
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE n = 1);
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'x';
GO
--! error 229
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE n = 1);
END CONVERSATION @h WITH CLEANUP;
GO
--! error 229
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE n = 1);
MOVE CONVERSATION @h TO @h;
GO
--! error 229
REVERT;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1 AND state = 'CO';
GO
--! rows
--! 6
EXECUTE AS USER = 'Owner';
DECLARE @h uniqueidentifier = (SELECT h FROM H WHERE n = 1);
END CONVERSATION @h;
REVERT;
EXECUTE AS USER = 'Reader';
SET @h = (SELECT h FROM H WHERE n = 2);
END CONVERSATION @h WITH ERROR = 1 DESCRIPTION = N'x';
REVERT;
EXECUTE AS USER = 'Admin';
SET @h = (SELECT h FROM H WHERE n = 3);
END CONVERSATION @h WITH CLEANUP;
REVERT;
SELECT n, state FROM H LEFT JOIN sys.conversation_endpoints e ON e.conversation_handle = H.h ORDER BY n;
GO
--! rows
--! 1 | DO
--! 2 | DO
--! 3 | NULL
--! 4 | CO
--! 5 | CO
--! 6 | CO
--! spec END-28
DECLARE @h uniqueidentifier, @g uniqueidentifier;
SELECT @g = conversation_group_id FROM sys.conversation_endpoints JOIN H ON h = conversation_handle WHERE n = 4;
EXECUTE AS USER = 'Owner';
SET @h = (SELECT h FROM H WHERE n = 5);
MOVE CONVERSATION @h TO @g;
REVERT;
EXECUTE AS USER = 'Admin';
SET @h = (SELECT h FROM H WHERE n = 6);
MOVE CONVERSATION @h TO @g;
REVERT;
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE conversation_group_id = @g;
GO
--! rows
--! 3
--! spec MOVE-12
-- The owner of the target service has to be allowed to receive from its queue: else the message waits, with the reason 8401.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S2 TO SERVICE 'S3' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'for Other');
SELECT CASE WHEN transmission_status LIKE N'%no permission to receive from the queue ''Q2''%' THEN '8401' END FROM sys.transmission_queue;
GO
--! rows
--! 8401
-- Nor may it when it is tried again, and nobody is connected.
--! advance 70s
SELECT CASE WHEN transmission_status LIKE N'%no permission to receive from the queue ''Q2''%' THEN '8401' END FROM sys.transmission_queue;
GRANT RECEIVE ON Q2 TO Other;
GO
--! rows
--! 8401
--! advance 70s
SELECT COUNT(*) FROM sys.transmission_queue;
SELECT service_name, CAST(message_body AS nvarchar(10)) FROM Q2 WHERE service_name = N'S3';
GO
--! rows
--! 0
--! rows
--! S3 | for Other
--! spec CHANGE-5 ERROR-8401
