-- One procedure plays both ends on one queue and tells them apart by sys.conversation_endpoints; a chain of steps goes through messages to itself.
CREATE DATABASE Steps
GO
ALTER DATABASE Steps SET ENABLE_BROKER
GO
USE Steps
GO
CREATE TABLE Trail (n INT IDENTITY, step VARCHAR(20), side VARCHAR(10))
CREATE QUEUE SelfQ
CREATE SERVICE Self ON QUEUE SelfQ ([DEFAULT])
GO
CREATE PROCEDURE NextStep @h UNIQUEIDENTIFIER, @step VARCHAR(20) AS
    DECLARE @next VARCHAR(20)
    SET @next = CASE @step WHEN 'reserve' THEN 'pay' WHEN 'pay' THEN 'ship' END
    IF @next IS NULL
        END CONVERSATION @h
    ELSE
        SEND ON CONVERSATION @h (@next)
GO
CREATE PROCEDURE OnSelf AS
DECLARE @h UNIQUEIDENTIFIER, @t SYSNAME, @b VARCHAR(20), @side VARCHAR(10)
WHILE 1 = 1 BEGIN
    SELECT @h = NULL
    RECEIVE TOP(1) @h = conversation_handle, @t = message_type_name, @b = message_body FROM SelfQ
    IF @h IS NULL BREAK
    SELECT @side = CASE is_initiator WHEN 1 THEN 'initiator' ELSE 'target' END FROM sys.conversation_endpoints WHERE conversation_handle = @h
    INSERT Trail (step, side) VALUES (CASE WHEN @t = 'DEFAULT' THEN @b ELSE 'end' END, @side)
    IF @t = 'DEFAULT' EXEC NextStep @h, @b
    ELSE END CONVERSATION @h
END
GO
ALTER QUEUE SelfQ WITH STATUS = ON, ACTIVATION (STATUS = ON, PROCEDURE_NAME = OnSelf, MAX_QUEUE_READERS = 2, EXECUTE AS SELF)
GO
DECLARE @h UNIQUEIDENTIFIER, @first VARCHAR(20)
SET @first = 'reserve'
BEGIN DIALOG @h FROM SERVICE Self TO SERVICE 'Self' WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h (@first)
GO
--! settle
SELECT step, side FROM Trail ORDER BY n
SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state <> 'CD'
GO
--! rows
--! reserve | target
--! pay | initiator
--! ship | target
--! end | initiator
--! rows
--! 0
