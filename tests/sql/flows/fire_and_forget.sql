-- Sending by triggers and from a pool of dialogs: an audit trigger that SENDs, dialog reuse by a table, recycling by a conversation
-- timer, END by the target, and the clean-up loop that DBAs keep.
CREATE DATABASE Audit;
GO
USE Audit;
GO
CREATE SCHEMA Pool AUTHORIZATION dbo
GO
CREATE MESSAGE TYPE [//audit/Change] VALIDATION = WELL_FORMED_XML
CREATE MESSAGE TYPE [//audit/Recycle] VALIDATION = EMPTY
CREATE CONTRACT [//audit/Contract] ([//audit/Change] SENT BY INITIATOR, [//audit/Recycle] SENT BY INITIATOR)
CREATE QUEUE Pool.SendQueue
CREATE QUEUE Pool.AuditQueue WITH STATUS = ON, RETENTION = ON
CREATE SERVICE [//audit/Sender] ON QUEUE Pool.SendQueue
CREATE SERVICE [//audit/Auditor] ON QUEUE Pool.AuditQueue ([//audit/Contract])
GO
CREATE TABLE Pool.Sessions (
    FromService sysname NOT NULL, ToService sysname NOT NULL, OnContract sysname NOT NULL, Spid int NOT NULL,
    Handle uniqueidentifier NOT NULL,
    CONSTRAINT PK_Sessions PRIMARY KEY (FromService, ToService, OnContract, Spid),
    CONSTRAINT UQ_Handle UNIQUE (Handle))
CREATE TABLE dbo.Employee (Id int NOT NULL PRIMARY KEY, Name nvarchar(50) NOT NULL, Salary money NULL, Photo varbinary(20) NULL)
CREATE TABLE dbo.AuditTrail (
    Id bigint IDENTITY(100, 10) NOT NULL PRIMARY KEY NONCLUSTERED, Action char(1), TableName sysname, Before xml NULL, After xml NULL)
GO
CREATE PROCEDURE Pool.Send
    @from sysname, @to sysname, @contract sysname, @type sysname, @body xml
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @handle uniqueidentifier, @counter int, @error int;
    SELECT @counter = 1;
    BEGIN TRANSACTION;
    WHILE (1 = 1)
    BEGIN
        SELECT @handle = Handle FROM Pool.Sessions WITH (UPDLOCK, HOLDLOCK)
        WHERE Spid = @@SPID AND FromService = @from AND ToService = @to AND OnContract = @contract;
        IF @handle IS NULL
        BEGIN
            BEGIN DIALOG CONVERSATION @handle FROM SERVICE @from TO SERVICE @to ON CONTRACT @contract WITH ENCRYPTION = OFF;
            BEGIN CONVERSATION TIMER (@handle) TIMEOUT = 60;
            INSERT INTO Pool.Sessions (Spid, FromService, ToService, OnContract, Handle) VALUES (@@SPID, @from, @to, @contract, @handle);
        END;
        SEND ON CONVERSATION @handle MESSAGE TYPE @type (@body);
        SELECT @error = @@ERROR;
        IF @error = 0 BREAK;
        SELECT @counter = @counter + 1;
        IF @counter > 10
        BEGIN
            RAISERROR (N'Failed to SEND on a conversation for more than 10 times. Error %i.', 16, 1, @error) WITH LOG;
            BREAK;
        END;
        DELETE FROM Pool.Sessions WHERE Handle = @handle;
        SELECT @handle = NULL;
    END;
    COMMIT;
END;
GO
CREATE PROCEDURE Pool.OnSendQueue AS
BEGIN
    DECLARE @h uniqueidentifier, @type sysname;
    BEGIN TRAN;
    RECEIVE TOP(1) @h = conversation_handle, @type = message_type_name FROM Pool.SendQueue;
    IF @h IS NOT NULL
    BEGIN
        DELETE FROM Pool.Sessions WHERE Handle = @h;
        IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer'
            SEND ON CONVERSATION @h MESSAGE TYPE [//audit/Recycle];
        ELSE
            END CONVERSATION @h;
    END
    COMMIT;
END;
GO
ALTER QUEUE Pool.SendQueue WITH ACTIVATION (STATUS = ON, MAX_QUEUE_READERS = 1, PROCEDURE_NAME = Pool.OnSendQueue, EXECUTE AS OWNER);
GO
CREATE TRIGGER dbo.Employee_Audit ON dbo.Employee AFTER INSERT, UPDATE, DELETE
AS
BEGIN
    IF @@ROWCOUNT = 0 RETURN;
    SET NOCOUNT ON;
    DECLARE @body xml, @action char(1) = CASE
        WHEN NOT EXISTS (SELECT * FROM deleted) THEN 'I' WHEN NOT EXISTS (SELECT * FROM inserted) THEN 'D' ELSE 'U' END;
    IF @action = 'U' AND NOT (UPDATE(Salary) OR UPDATE(Name)) RETURN;
    SET @body = (SELECT @action AS '@action', OBJECT_NAME(parent_id) AS '@table',
            (SELECT * FROM deleted FOR XML RAW('row'), BINARY BASE64, ROOT('before'), TYPE),
            (SELECT * FROM inserted FOR XML RAW('row'), BINARY BASE64, ROOT('after'), TYPE)
        FROM sys.triggers WHERE object_id = @@PROCID FOR XML PATH('change'), TYPE);
    EXEC Pool.Send N'//audit/Sender', N'//audit/Auditor', N'//audit/Contract', N'//audit/Change', @body;
END
GO
INSERT dbo.Employee VALUES (1, N'Ada', 100.5, NULL);
INSERT dbo.Employee (Id, Name) SELECT 2, N'Bob' UNION ALL SELECT 3, N'Cy';
UPDATE Employee SET Photo = 0x01 WHERE Id = 1;
UPDATE e SET e.Salary = ISNULL(e.Salary, 0) + 1 FROM dbo.Employee AS e WHERE e.Id < 3;
DELETE Employee WHERE Id = 3;
DELETE Employee WHERE Id = 33;
SELECT COUNT(*) FROM Pool.Sessions;
SELECT COUNT(*) AS messages, COUNT(DISTINCT conversation_handle) AS dialogs FROM Pool.AuditQueue;
GO
--! rows
--! 1
--! rows
--! 4 | 1
-- The audit reader: set based, one batch of messages into a table variable, shredded with CROSS APPLY and written with OUTPUT INTO.
CREATE PROCEDURE dbo.ReadAudit AS
BEGIN
    DECLARE @messages TABLE (n bigint, h uniqueidentifier, t sysname, body xml);
    DECLARE @written TABLE (Id bigint, Action char(1));
    RECEIVE message_sequence_number, conversation_handle, message_type_name, CASE WHEN validation = 'X' THEN CAST(message_body AS xml) END
    FROM Pool.AuditQueue INTO @messages;
    INSERT INTO dbo.AuditTrail (Action, TableName, Before, After)
    OUTPUT inserted.Id, inserted.Action INTO @written
    SELECT c.value('@action', 'char(1)'), c.value('@table', 'sysname'), c.query('before/row'), c.query('after/row')
    FROM @messages m CROSS APPLY m.body.nodes('/change') AS x(c)
    WHERE m.t = N'//audit/Change' ORDER BY m.n;
    DECLARE @h uniqueidentifier = (SELECT TOP 1 h FROM @messages WHERE t = '//audit/Recycle');
    IF @h IS NOT NULL END CONVERSATION @h;
    SELECT COUNT(*) AS written, STRING_AGG(Action, ',') WITHIN GROUP (ORDER BY Id) AS actions FROM @written;
END;
GO
EXEC dbo.ReadAudit;
SELECT Id, Action, TableName, CAST(Before AS nvarchar(max)), After.value('count(/row)', 'int') FROM AuditTrail ORDER BY Id;
SELECT status, COUNT(*) FROM Pool.AuditQueue GROUP BY status;
GO
--! rows
--! columns written | actions
--! 4 | I,I,U,D
--! rows
--! 100 | I | Employee |  | 1
--! 110 | I | Employee |  | 2
--! 120 | U | Employee | * | 2
--! 130 | D | Employee | <row Id="3" Name="Cy"/> | 0
--! rows
--! 0 | 4
--! advance 61s
SELECT COUNT(*) FROM Pool.Sessions;
EXEC ReadAudit;
GO
--! rows
--! 0
--! rows
--! 0 | NULL
--! settle
SELECT state_desc, is_initiator FROM sys.conversation_endpoints;
INSERT Employee VALUES (4, N'Di', NULL, NULL);
SELECT state_desc, is_initiator FROM sys.conversation_endpoints WHERE state = 'CO' ORDER BY is_initiator;
GO
--! rows
--! CLOSED | 0
--! rows
--! CONVERSING | 0
--! CONVERSING | 1
-- What DBAs run: monitoring joins, then END … WITH CLEANUP for every conversation, by cursor.
SELECT s.name AS [service], q.name AS [queue], e.state_desc AS 'state', e.far_service, t.transmission_status, DATEDIFF(s, GETUTCDATE(), e.lifetime) / 86400 AS days
FROM sys.conversation_endpoints e
LEFT OUTER JOIN sys.transmission_queue t ON t.conversation_handle = e.conversation_handle
JOIN sys.services s ON s.service_id = e.service_id
JOIN sys.service_queues q ON s.service_queue_id = q.object_id
WHERE e.is_initiator = 1;
SELECT q.name, m.state, m.tasks_waiting, DB_NAME(m.database_id) AS db, p.rows
FROM sys.dm_broker_queue_monitors m
INNER JOIN sys.service_queues q ON m.queue_id = q.object_id AND m.database_id = DB_ID()
CROSS APPLY (SELECT COUNT(*) AS rows FROM Pool.AuditQueue) p;
SELECT q.name, i.name, p.rows
FROM sys.internal_tables i JOIN sys.service_queues q ON q.object_id = i.parent_object_id JOIN sys.partitions p ON p.object_id = i.object_id
WHERE q.name = 'AuditQueue' AND p.index_id = 1 AND i.internal_type_desc = 'QUEUE_MESSAGES';
GO
--! rows
--! columns service | queue | state | far_service | transmission_status | days
--! //audit/Sender | SendQueue | CONVERSING | //audit/Auditor | NULL | *
--! rows
--! SendQueue | * | 0 | Audit | 1
--! rows
--! AuditQueue | * | 1
DECLARE @handle uniqueidentifier, @n int
DECLARE conv CURSOR LOCAL STATIC FORWARD_ONLY FOR SELECT conversation_handle FROM sys.conversation_endpoints
OPEN conv
FETCH NEXT FROM conv INTO @handle
WHILE (@@FETCH_STATUS <> -1)
BEGIN
    IF (@@FETCH_STATUS <> -2)
    BEGIN
        END CONVERSATION @handle WITH CLEANUP
        SET @n = ISNULL(@n, 0) + 1
    END
    FETCH NEXT FROM conv INTO @handle
END
CLOSE conv
DEALLOCATE conv
PRINT 'cleaned ' + CONVERT(varchar(10), @n)
SELECT (SELECT COUNT(*) FROM sys.conversation_endpoints), (SELECT COUNT(*) FROM Pool.AuditQueue)
GO
--! print cleaned 3
--! rows
--! 0 | 0
