-- Forms that published scripts use, one line each: statements without semicolons, names from variables, generated options, rarer functions.
CREATE DATABASE Wild;
GO
USE Wild
GO
CREATE MESSAGE TYPE [//wild/Request] VALIDATION = WELL_FORMED_XML
CREATE MESSAGE TYPE [//wild/Empty] VALIDATION = EMPTY
CREATE CONTRACT [//wild/Contract] ([//wild/Request] SENT BY INITIATOR, [//wild/Empty] SENT BY ANY,
    [http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer] SENT BY ANY)
CREATE QUEUE dbo.Q1 WITH STATUS = ON, RETENTION = OFF, POISON_MESSAGE_HANDLING (STATUS = OFF) ON [PRIMARY]
CREATE SERVICE [//wild/One] AUTHORIZATION dbo ON QUEUE Q1 ([//wild/Contract], [DEFAULT])
CREATE ROUTE Away WITH SERVICE_NAME = '//wild/Away', BROKER_INSTANCE = 'CE1B9D4C-1111-4222-8333-1234567890AB', LIFETIME = 600,
    ADDRESS = 'TCP://h1:4022', MIRROR_ADDRESS = 'TCP://h2:4022'
DROP ROUTE Away
CREATE BROKER PRIORITY P1 FOR CONVERSATION SET (CONTRACT_NAME = [//wild/Contract], REMOTE_SERVICE_NAME = ANY, PRIORITY_LEVEL = 7)
ALTER BROKER PRIORITY P1 FOR CONVERSATION SET (PRIORITY_LEVEL = 3)
SELECT name, priority FROM sys.conversation_priorities
GO
--! rows
--! P1 | 3
DECLARE @h uniqueidentifier, @to nvarchar(50) = N'//wild/One', @from sysname = '//wild/One', @on sysname = '//wild/Contract',
    @type sysname = '//wild/Request', @body xml = N'<a>1</a>'
BEGIN DIALOG @h FROM SERVICE @from TO SERVICE @to, 'CURRENT DATABASE' ON CONTRACT @on WITH ENCRYPTION = OFF, LIFETIME = 600
SEND ON CONVERSATION @h MESSAGE TYPE @type (@body)
SEND ON CONVERSATION @h MESSAGE TYPE [//wild/Empty]
SEND ON CONVERSATION @h MESSAGE TYPE [//wild/Request](N'<x/>')
DECLARE @n int = 1000, @in xml, @of sysname, @rh uniqueidentifier, @g uniqueidentifier
RECEIVE TOP(1) @rh = conversation_handle, @of = message_type_name, @in = message_body, @g = conversation_group_id FROM Q1
SELECT @of, @in
WAITFOR (RECEIVE TOP (@n) message_type_name, CAST(message_body AS nvarchar(max)) AS b FROM dbo.Q1 WHERE conversation_group_id = @g), timeout 500
IF @rh IS NOT NULL END CONVERSATION @rh WITH ERROR = 50001 DESCRIPTION = N'bad' ELSE PRINT 'none'
RECEIVE TOP (1) message_type_name, CAST(message_body AS xml).value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error";
    (/e:Error/e:Code)[1]', 'int') AS code FROM Q1 WHERE conversation_handle = @h
END CONVERSATION @h
GO
--! rows
--! //wild/Request | <a>1</a>
--! rows
--! //wild/Empty | NULL
--! //wild/Request | <x/>
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | 50001
CREATE TABLE T (Id int IDENTITY(1,1) NOT NULL, Priority int NULL DEFAULT (1), Status nvarchar(20) COLLATE Latin1_General_CI_AS,
    Type bit, [Value] AS (Priority * 2) PERSISTED, CONSTRAINT PK_T PRIMARY KEY CLUSTERED (Id ASC) WITH (PAD_INDEX = OFF,
    STATISTICS_NORECOMPUTE = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS = ON, ALLOW_PAGE_LOCKS = ON, FILLFACTOR = 80) ON [PRIMARY],
    Body nvarchar(max), ) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
ALTER TABLE T SET (LOCK_ESCALATION = TABLE)
INSERT T (Priority, Status) VALUES (1, 'a'), (2, 'b')
SET IDENTITY_INSERT T ON; INSERT T (Id, Status) VALUES (99, 'q'); SET IDENTITY_INSERT T OFF
UPDATE t SET t.Status = 'c' FROM T AS t INNER JOIN (SELECT MIN(Id) AS Id FROM T) AS m ON m.Id = t.Id
SELECT 'Alias' = Id, Priority AS 'quoted', Status plain, twice = [Value] FROM dbo.T WITH (NOLOCK)
    WHERE EXISTS (SELECT 1 FROM Wild.dbo.T (NOLOCK)) AND Status IS NOT NULL ORDER BY 1 DESC
DELETE FROM T OUTPUT deleted.Id WHERE Id = 99
GO
--! rows
--! columns Alias | quoted | plain | twice
--! 99 | 1 | q | 2
--! 2 | 2 | b | 4
--! 1 | 1 | c | 2
--! rows
--! 99
DECLARE @i int = 0, @p sysname = 'sp_executesql', @sv varchar(10) = 'point'
SET @i += 7; SET @i -= 1; SET @i *= 2; SET @i |= 1; SET @i ^= 4; SET @i &= 11; SET @i %= 7; SET @i /= 2
EXEC @p N'SELECT @x', N'@x int', @x = @i
BEGIN TRAN t1; SAVE TRAN @sv; DELETE T; ROLLBACK TRAN @sv; COMMIT TRAN t1
BEGIN TRY; THROW 50001, 'thrown', 3; END TRY BEGIN CATCH; SELECT ERROR_MESSAGE(), ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), XACT_STATE(); END CATCH
RAISERROR ('hello %s %d %x', 10, 1, 'a', 5, 255) WITH NOWAIT
GOTO done
PRINT 'never'
done:
SELECT COUNT(*) FROM T
GO
--! rows
--! 1
--! rows
--! thrown | 50001 | 16 | 3 | 0
--! print hello a 5 ff
--! rows
--! 2
SELECT OBJECTPROPERTY(OBJECT_ID('T'), 'IsUserTable'), OBJECTPROPERTY(OBJECT_ID('T'), N'IsProcedure'), FULLTEXTSERVICEPROPERTY('IsFullTextInstalled'),
    FORMATMESSAGE('a %s', 'b'), ISDATE('2020-02-30'), PATINDEX('%b%', 'abc'), COL_LENGTH('T', 'Status'), PARSENAME('a.b', 1), TRY_CONVERT(int, 'x'),
    OBJECT_SCHEMA_NAME(OBJECT_ID('T')), USER_NAME(), IS_MEMBER('db_owner'), 7 % 4, 6 & 3, 6 | 3, 6 ^ 3
DECLARE @d int; EXEC sp_xml_preparedocument @d OUTPUT, N'<r><a x="1"/></r>'
SELECT * FROM OPENXML(@d, '/r/a', 1) WITH (x int); EXEC sp_xml_removedocument @d
DECLARE @rc int; EXEC @rc = sp_getapplock @Resource = 'r', @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0; SELECT @rc
EXEC @rc = sp_releaseapplock @Resource = 'r', @LockOwner = 'Session'; SELECT @rc
SET ROWCOUNT 1; SELECT Id FROM T ORDER BY Id; SET ROWCOUNT 0
GO
--! rows
--! 1 | 0 | 0 | a b | 0 | 2 | 40 | b | NULL | dbo | dbo | 1 | 3 | 2 | 7 | 5
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0
--! rows
--! 1
DECLARE @x xml = '<a xmlns="u"><b c="1">t</b><b>2</b></a>';
WITH XMLNAMESPACES (DEFAULT 'u') SELECT t.c.value('.', 'nvarchar(5)'), t.c.value('@c', 'int') FROM @x.nodes('/a/b') t(c)
SELECT Id AS [@id], Status AS [x/y] FROM T ORDER BY Id FOR XML PATH('r'), ROOT('rs'), TYPE
GO
--! rows
--! t | 1
--! 2 | NULL
--! rows
--! <rs><r id="1"><x><y>c</y></x></r><r id="2"><x><y>b</y></x></r></rs>
CREATE ASSEMBLY a FROM 'x.dll' WITH PERMISSION_SET = SAFE
GO
--! error 40517 text ASSEMBLY
CREATE FULLTEXT CATALOG c AS DEFAULT
GO
--! error 40517 text FULLTEXT
