-- Messages are collected for a while and worked on together: a conversation timer on the reader's own dialog says when; until then they
-- stay in the queue, and a summary goes back to each sender.
CREATE DATABASE Collect;
GO
USE Collect;
GO
CREATE CONTRACT Readings ([DEFAULT] SENT BY ANY);
CREATE QUEUE Sensors; CREATE QUEUE Station;
CREATE SERVICE Sensor ON QUEUE Sensors (Readings); CREATE SERVICE Base ON QUEUE Station (Readings);
CREATE TABLE Average (At char(8), Sensor varchar(10), Average decimal(9, 2), Readings int);
GO
CREATE PROCEDURE Work_ AS
SET NOCOUNT ON;
DECLARE @in TABLE (h uniqueidentifier, t sysname, b xml);
DECLARE @h uniqueidentifier, @out nvarchar(100);
BEGIN TRAN;
WAITFOR (RECEIVE conversation_handle, message_type_name, message_body FROM Station INTO @in), TIMEOUT 100;
IF EXISTS (SELECT * FROM @in WHERE t = N'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer')
BEGIN
    INSERT Average
    SELECT CONVERT(char(8), GETUTCDATE(), 108), b.value('(/r/@s)[1]', 'varchar(10)'), AVG(b.value('(/r/@v)[1]', 'decimal(9, 2)')), COUNT(*)
    FROM @in WHERE t = N'DEFAULT' GROUP BY b.value('(/r/@s)[1]', 'varchar(10)');
    SELECT TOP (1) @h = h FROM @in;
    SET @out = CONCAT(N'<done n="', (SELECT COUNT(*) FROM @in WHERE t = N'DEFAULT'), N'"/>');
    SEND ON CONVERSATION @h (@out);
    END CONVERSATION @h;
    COMMIT;
END
ELSE
BEGIN
    SELECT TOP (1) @h = h FROM @in;
    ROLLBACK;
    IF @h IS NOT NULL AND NOT EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = @h AND dialog_timer > '19000101')
        BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60;
END
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Sensor TO SERVICE 'Base' ON CONTRACT Readings WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'<r s="one" v="1.5"/>'); SEND ON CONVERSATION @h (N'<r s="two" v="10"/>'); SEND ON CONVERSATION @h (N'<r s="one" v="2.5"/>');
EXEC Work_;
SELECT COUNT(*) FROM Station; SELECT DATEDIFF(second, GETUTCDATE(), dialog_timer) FROM sys.conversation_endpoints WHERE is_initiator = 0;
GO
--! rows
--! 3
--! rows
--! 60
--! advance 61s
EXEC Work_;
SELECT Sensor, Average, Readings FROM Average ORDER BY Sensor;
SELECT CAST(message_body AS xml).value('(/done/@n)[1]', 'int') FROM Sensors WHERE message_type_name = 'DEFAULT';
GO
--! rows
--! one | 2.00 | 2
--! two | 10.00 | 1
--! rows
--! 3
