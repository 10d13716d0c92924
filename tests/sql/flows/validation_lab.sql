-- A lab: what each VALIDATION lets through, seen by a sender that looks at its own queue after each SEND.
CREATE DATABASE Valid
GO
USE Valid
GO
CREATE MESSAGE TYPE mtNone VALIDATION = NONE
CREATE MESSAGE TYPE mtEmpty VALIDATION = EMPTY
CREATE MESSAGE TYPE mtXml VALIDATION = WELL_FORMED_XML
CREATE CONTRACT ctAll (mtNone SENT BY ANY, mtEmpty SENT BY ANY, mtXml SENT BY ANY)
CREATE QUEUE qI; CREATE QUEUE qT
CREATE SERVICE sI ON QUEUE qI; CREATE SERVICE sT ON QUEUE qT (ctAll)
CREATE TABLE Verdict (n INT IDENTITY, type SYSNAME, body NVARCHAR(30), verdict VARCHAR(30))
GO
CREATE PROC Try_ @type SYSNAME, @body NVARCHAR(30) AS
    DECLARE @h UNIQUEIDENTIFIER, @code INT, @x XML
    BEGIN DIALOG @h FROM SERVICE sI TO SERVICE 'sT' ON CONTRACT ctAll WITH ENCRYPTION = OFF
    IF @body IS NULL
        SEND ON CONVERSATION @h MESSAGE TYPE @type
    ELSE
        SEND ON CONVERSATION @h MESSAGE TYPE @type (@body)
    RECEIVE TOP (1) @x = message_body FROM qI WHERE conversation_handle = @h
    IF @@ROWCOUNT = 1
        SELECT @code = @x.value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int')
    INSERT Verdict (type, body, verdict) VALUES (@type, @body, ISNULL('refused, ' + CAST(ABS(@code) AS VARCHAR(10)), 'taken'))
    END CONVERSATION @h
GO
EXEC Try_ 'mtNone', 'anything <'; EXEC Try_ 'mtNone', NULL; EXEC Try_ 'mtNone', ''
EXEC Try_ 'mtEmpty', NULL; EXEC Try_ 'mtEmpty', ''; EXEC Try_ 'mtEmpty', 'x'
EXEC Try_ 'mtXml', '<a/>'; EXEC Try_ 'mtXml', NULL; EXEC Try_ 'mtXml', '<a>'; EXEC Try_ 'mtXml', 'x & y'
SELECT type, body, LEFT(verdict, 7) FROM Verdict ORDER BY n
GO
--! rows
--! mtNone | anything < | taken
--! mtNone | NULL | taken
--! mtNone |  | taken
--! mtEmpty | NULL | taken
--! mtEmpty |  | taken
--! mtEmpty | x | refused
--! mtXml | <a/> | taken
--! mtXml | NULL | taken
--! mtXml | <a> | refused
--! mtXml | x & y | refused
ALTER MESSAGE TYPE mtXml VALIDATION = NONE
EXEC Try_ 'mtXml', '<a>'
SELECT TOP (1) verdict FROM Verdict ORDER BY n DESC
GO
--! rows
--! taken
