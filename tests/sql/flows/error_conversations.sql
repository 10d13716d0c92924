-- What each side hears when the other ends with an error, when a service is not there, when a contract is not accepted, when a lifetime
-- ends, when an object is dropped; the codes are read with the namespace of the Error type in the three ways that people write it.
CREATE DATABASE Errs
GO
USE Errs
GO
CREATE MESSAGE TYPE Ask; CREATE MESSAGE TYPE Told VALIDATION = WELL_FORMED_XML
CREATE CONTRACT Plain (Ask SENT BY INITIATOR, Told SENT BY TARGET)
CREATE CONTRACT Other (Ask SENT BY INITIATOR)
CREATE QUEUE A; CREATE QUEUE B
CREATE SERVICE SA ON QUEUE A; CREATE SERVICE SB ON QUEUE B (Plain)
GO
CREATE PROC Hear AS
    DECLARE @t TABLE (h UNIQUEIDENTIFIER, name SYSNAME, body XML)
    DECLARE @h UNIQUEIDENTIFIER
    RECEIVE conversation_handle, message_type_name, message_body FROM A INTO @t
    ;WITH XMLNAMESPACES (N'http://schemas.microsoft.com/SQL/ServiceBroker/Error' AS ssb)
    SELECT RIGHT(name, CHARINDEX('/', REVERSE(name) + '/') - 1) AS type,
        body.value(N'(/ssb:Error/ssb:Code)[1]', N'INT') AS code,
        body.value('declare namespace e = "http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int')
            + body.value('declare default element namespace "http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/Error/Code)[1]', 'int') AS twice,
        CASE WHEN body.value(N'(//ssb:Description)[1]', N'NVARCHAR(3000)') LIKE N'custom%' THEN 'custom' END AS what,
        body.value('(/*[local-name()="Error"]/*[local-name()="Code"]/text())[1]', 'varchar(10)') AS by_local_name
    FROM @t
    SELECT @h = h FROM @t
    IF @h IS NOT NULL END CONVERSATION @h
GO
CREATE PROC Start @to SYSNAME = 'SB', @on SYSNAME = 'Plain', @life INT = 3600, @h UNIQUEIDENTIFIER = NULL OUTPUT AS
    BEGIN DIALOG @h FROM SERVICE SA TO SERVICE @to ON CONTRACT @on WITH ENCRYPTION = OFF, LIFETIME = @life
    ;SEND ON CONVERSATION @h MESSAGE TYPE Ask
GO
-- The target ends with an error of its own; what it has sent before is heard first.
DECLARE @t UNIQUEIDENTIFIER, @reason NVARCHAR(200)
EXEC Start;
RECEIVE TOP (1) @t = conversation_handle FROM B
SET @reason = N'custom: ' + REPLICATE(N'x', 20)
;SEND ON CONVERSATION @t MESSAGE TYPE Told (N'<a/>')
END CONVERSATION @t WITH ERROR = 500 DESCRIPTION = @reason
EXEC Hear
GO
--! rows
--! columns type | code | twice | what | by_local_name
--! Error | 500 | 1000 | custom | 500
--! Told | NULL | NULL | NULL | NULL
-- The contract is not among those of the service.
EXEC Start @on = 'Other'
EXEC Hear
GO
--! rows
--! Error | -8408 | -16816 | NULL | -8408
-- No such service: nothing until the lifetime ends.
EXEC Start @to = 'SX', @life = 10
EXEC Hear
GO
--! rows
--! advance 11s
EXEC Hear
SELECT COUNT(*) FROM sys.transmission_queue
GO
--! rows
--! Error | -8489 | -16978 | NULL | -8489
--! rows
--! 0
-- The service is dropped under the conversation.
EXEC Start
DROP SERVICE SB
EXEC Hear
GO
--! rows
--! Error | -8470 | -16940 | NULL | -8470
-- The body is no XML: the sender hears it, the target nothing.
CREATE MESSAGE TYPE Doc VALIDATION = WELL_FORMED_XML; CREATE CONTRACT Docs (Doc SENT BY INITIATOR); CREATE SERVICE SB ON QUEUE B (Docs)
GO
DECLARE @h UNIQUEIDENTIFIER
BEGIN DIALOG @h FROM SERVICE SA TO SERVICE 'SB' ON CONTRACT Docs WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h MESSAGE TYPE Doc (N'<not><closed>')
SELECT COUNT(*) FROM B
EXEC Hear
;SEND ON CONVERSATION @h MESSAGE TYPE Doc (N'<too late/>')
GO
--! rows
--! 0
--! rows
--! Error | -9615 | -19230 | NULL | -9615
--! error 8426 line 6
-- A message type of another contract; an error without a code.
DECLARE @h UNIQUEIDENTIFIER
EXEC Start @h = @h OUTPUT, @on = 'Docs'
GO
--! error 8431
DECLARE @h UNIQUEIDENTIFIER, @n INT
SELECT @h = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1
END CONVERSATION @h WITH ERROR = @n DESCRIPTION = 'none'
GO
--! error 8419
