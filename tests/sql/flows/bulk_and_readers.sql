-- A load test as people write it: hundreds of messages from a loop, set based RECEIVE TOP (100), five readers, times and counts at the end.
USE tempdb
GO
IF OBJECT_ID('dbo.Loaded') IS NOT NULL DROP TABLE dbo.Loaded
CREATE TABLE dbo.Loaded (Id int IDENTITY, n int, reader int, CONSTRAINT UQ_Loaded UNIQUE (n))
CREATE QUEUE dbo.LoadFrom; CREATE QUEUE dbo.LoadTo
CREATE SERVICE LoadFrom ON QUEUE dbo.LoadFrom; CREATE SERVICE LoadTo ON QUEUE dbo.LoadTo ([DEFAULT])
GO
CREATE PROCEDURE dbo.LoadReader
AS
SET NOCOUNT ON
DECLARE @batch TABLE (h uniqueidentifier, t sysname, n int)
DECLARE @h uniqueidentifier
WHILE 1 = 1
BEGIN
    BEGIN TRAN
    DELETE @batch
    WAITFOR (RECEIVE TOP (100) conversation_handle, message_type_name, CAST(message_body AS int) FROM dbo.LoadTo INTO @batch), TIMEOUT 500
    IF @@ROWCOUNT = 0 BEGIN COMMIT; BREAK; END
    INSERT dbo.Loaded (n, reader) SELECT n, @@SPID FROM @batch WHERE t = 'DEFAULT'
    DECLARE ends CURSOR LOCAL FAST_FORWARD FOR SELECT DISTINCT h FROM @batch WHERE t <> 'DEFAULT'
    OPEN ends
    FETCH ends INTO @h
    WHILE @@FETCH_STATUS = 0
    BEGIN
        END CONVERSATION @h
        FETCH ends INTO @h
    END
    CLOSE ends
    DEALLOCATE ends
    COMMIT
END
GO
ALTER QUEUE dbo.LoadTo WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.LoadReader, MAX_QUEUE_READERS = 5, EXECUTE AS OWNER)
GO
SET NOCOUNT ON
DECLARE @h uniqueidentifier, @n int = 1, @start datetime2 = SYSDATETIME()
WHILE @n <= 300
BEGIN
    IF @n % 30 = 1
        BEGIN DIALOG @h FROM SERVICE LoadFrom TO SERVICE 'LoadTo' WITH ENCRYPTION = OFF
    ;SEND ON CONVERSATION @h (CAST(@n AS varbinary(4)))
    IF @n % 30 = 0
        END CONVERSATION @h
    SET @n += 1
END
IF DATEDIFF(ms, @start, SYSDATETIME()) >= 0 PRINT CONCAT('sent ', @n - 1)
GO
--! print sent 300
--! settle
SELECT COUNT(*) AS rows_, MIN(n) AS first_, MAX(n) AS last_, SUM(n) AS total FROM dbo.Loaded
SELECT COUNT(*) FROM dbo.LoadTo
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1
GO
--! rows
--! 300 | 1 | 300 | 45150
--! rows
--! 0
--! rows
--! 0
DROP SERVICE LoadFrom; DROP SERVICE LoadTo; DROP QUEUE dbo.LoadFrom; DROP QUEUE dbo.LoadTo; DROP PROCEDURE dbo.LoadReader; DROP TABLE dbo.Loaded
GO
