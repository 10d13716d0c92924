:setvar DatabaseName "Oddities"
-- Forms that stand in few scripts each: client variables, keywords in any case, variables for names of transactions and TIMEOUTs,
-- RECEIVE * and TOP (@n), contracts with system types, VALID_XML, event notifications, priorities, fragments, old types.
Use master
GO
If Db_Id(N'$(DatabaseName)') Is Not Null Drop Database [$(DatabaseName)]
Create Database [$(DatabaseName)]
gO
Use [$(DatabaseName)]
Go
create xml schema collection dbo.[urn:odd/Schema] as N'<?xml version="1.0" encoding="utf-16"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:odd" xmlns="urn:odd" elementFormDefault="qualified">
  <xs:element name="order"><xs:complexType><xs:sequence>
    <xs:element name="qty" type="xs:int"/></xs:sequence><xs:attribute name="id" type="xs:string" use="required"/>
  </xs:complexType></xs:element></xs:schema>'
Go
create message type [urn:odd/Order] validation = valid_xml with schema collection [urn:odd/Schema]
create message type [urn:odd/Any]
create message type [urn:odd/Nothing] validation = empty
create contract [urn:odd/Contract] (
    [urn:odd/Order] sent by initiator,
    [urn:odd/Any] sent by any,
    [urn:odd/Nothing] sent by target,
    [DEFAULT] sent by any)
create queue OddQueue with retention = off, poison_message_handling (status = off)
create queue NoticeQueue
create service OddService on queue OddQueue ([urn:odd/Contract], [DEFAULT])
create service NoticeService on queue NoticeQueue ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])
create broker priority OddPriority for conversation set (contract_name = [urn:odd/Contract], local_service_name = OddService, remote_service_name = any, priority_level = 9)
create event notification QueueOff on queue OddQueue for broker_queue_disabled to service 'NoticeService', 'current database'
alter message type [urn:odd/Any] validation = none
create table dbo.[Status] ([Name] nchar(10), [Type] char(3), [State] smallint, Value real, Note text, Memo ntext, Picture image, Any_ sql_variant,
    [When] datetimeoffset(3), [Day] date, Rate float, Part numeric(8, 3), [Key] int identity(1, 1), [Order] tinyint, constraint PK_Status primary key ([Key]),)
Go
select p.name, p.priority, s.name from sys.conversation_priorities p join sys.services s on s.service_id = p.local_service_id
select e.name, e.parent_class_desc, t.type_desc from sys.event_notifications e join sys.events t on t.object_id = e.object_id
select schema_name from information_schema.schemata where schema_name = 'dbo'
select k.name, k.type from sys.key_constraints k where k.parent_object_id = object_id('Status')
GO
--! rows
--! OddPriority | 9 | OddService
--! rows
--! QueueOff | OBJECT_OR_COLUMN | BROKER_QUEUE_DISABLED
--! rows
--! dbo
--! rows
--! PK_Status | PK
-- One service is both ends. The initiator's group and the target's differ; RECEIVE without TOP gives one group.
DECLARE @h uniqueidentifier, @t uniqueidentifier, @n int = 2, @wait int = 250, @x xml, @b varchar(20) = 'plain', @e int = 4711, @d nvarchar(3000) = N'why not'
BEGIN DIALOG CONVERSATION @h
FROM SERVICE [OddService]
TO SERVICE 'OddService', 'CURRENT DATABASE'
ON CONTRACT [urn:odd/Contract]
WITH ENCRYPTION=OFF
,LIFETIME=3600

SET @x = N'<order xmlns="urn:odd" id="o1"><qty>7</qty></order>'
;SEND ON CONVERSATION @h MESSAGE TYPE [urn:odd/Order](@x)
SEND ON CONVERSATION @h MESSAGE TYPE [urn:odd/Any](CAST(@b + ' text' AS varchar(20)));
SEND ON CONVERSATION (@h) MESSAGE TYPE [DEFAULT] (N'first part' + N', second part');
SEND ON CONVERSATION @h (CONVERT(varbinary(max), N'<a/>text<b/>'));
SELECT TOP 1 @t = conversation_handle FROM OddQueue
IF @t <> @h PRINT 'two ends'
RECEIVE TOP(@n) message_type_name AS [type], CAST(message_body AS xml).value('declare namespace o="urn:odd"; (//o:qty)[1]', 'int') qty,
    priority, 'len' = DATALENGTH(message_body) FROM OddQueue WHERE conversation_handle = @t
GO
--! print two ends
--! rows
--! columns type | qty | priority | len
--! urn:odd/Order | 7 | 9 | *
--! urn:odd/Any | NULL | 9 | 10
DECLARE @n int = 2, @t uniqueidentifier, @x xml, @body nvarchar(100), @wait int = 250, @e int = 4711, @d nvarchar(3000) = N'why not'
SELECT TOP (@n) DATALENGTH(message_body) AS 'len', [Priority], CASE validation WHEN 'X' THEN 'xml' WHEN 'N' THEN 'none' WHEN 'E' THEN 'empty' END v
FROM OddQueue WITH (NOLOCK) ORDER BY queuing_order
RECEIVE TOP (0) * FROM OddQueue
RECEIVE TOP 1 @body = message_body, @t = conversation_handle FROM OddQueue
RECEIVE TOP (1) @x = message_body FROM OddQueue
SELECT @body AS body, CAST(@x AS nvarchar(max)) AS fragments, @x.value('(/b)[1]', 'varchar(5)') AS b, @x.value('count(/*)', 'int') AS n
WAITFOR (RECEIVE * FROM OddQueue), TIMEOUT @wait
IF @@ROWCOUNT = 0
    SEND ON CONVERSATION @t MESSAGE TYPE [urn:odd/Nothing]
IF @t IS NOT NULL END CONVERSATION @t WITH ERROR = @e
    DESCRIPTION = @d ELSE PRINT 'no'
WAITFOR (
    RECEIVE message_type_name, message_body FROM OddQueue
), TIMEOUT 1000
GO
--! rows
--! columns len | Priority | v
--! 46 | 9 | none
--! 24 | 9 | none
--! rows
--! rows
--! columns body | fragments | b | n
--! first part, second part | <a/>text<b/> |  | 2
--! rows
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | *
--! urn:odd/Nothing | NULL
-- What does not fit the schema comes back as an error; a message type outside of the contract fails at once.
DECLARE @h uniqueidentifier, @m xml
SELECT @h = conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1
END CONVERSATION (@h)
BEGIN DIALOG @h FROM SERVICE OddService TO SERVICE N'OddService' ON CONTRACT [urn:odd/Contract] WITH ENCRYPTION = OFF
;SEND ON CONVERSATION @h MESSAGE TYPE [urn:odd/Order] (N'<order xmlns="urn:odd"><qty>many</qty></order>')
;WAITFOR (RECEIVE TOP (1) @m = message_body FROM OddQueue), TIMEOUT 5000
SELECT @m.value('declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int') AS code
END CONVERSATION @h
GO
--! rows
--! *
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE OddService TO SERVICE N'OddService' ON CONTRACT [urn:odd/Contract] WITH ENCRYPTION = OFF
SEND ON CONVERSATION @h MESSAGE TYPE [urn:odd/Nothing]
GO
--! error 8432
-- Names of transactions and savepoints in variables, CONTINUE, @@NESTLEVEL, TRUNCATE, DELETE … OUTPUT, SET ROWCOUNT, IDENTITY_INSERT.
CREATE PROC Nested @level int, @tran varchar(32) = 'outermost' AS
    IF @@NESTLEVEL < @level EXEC Nested @level
    ELSE RETURN @@NESTLEVEL * 10
    RETURN (-1)
GO
DECLARE @rc int, @name nvarchar(20) = N'work', @save char(10) = 'point', @i int = 0
DECLARE @gone TABLE ([Key] int, [Name] nchar(10))
EXEC @rc = dbo.Nested 1
BEGIN TRAN @name WITH MARK 'for the log'
INSERT Status ([Name], [Type], [State], Any_, [When]) VALUES ('one', 'a', 1, 5, '2026-01-02T03:04:05.678+02:00')
SAVE TRAN @save
INSERT Status ([Name], Value, Rate, Part, [Day]) SELECT 'two', 1.5, 2.5e0, 3.25, CURRENT_TIMESTAMP
ROLLBACK TRAN @save
COMMIT TRAN @name
WHILE @i < 5
BEGIN
    SET @i += 1
    IF @i % 2 = 0 CONTINUE
    INSERT dbo.Status ([Name], [State]) VALUES ('n' + CAST(@i AS nvarchar(3)), @i)
END
SET ROWCOUNT 2
DELETE FROM Status OUTPUT deleted.[Key], deleted.[Name] INTO @gone WHERE [State] > 0
SET ROWCOUNT 0
SELECT @rc rc, COUNT(*) n, MIN([Key]) low, MAX([Key]) high, AVG([Key]) middle FROM Status
SELECT [Key], RTRIM([Name]) + '.' FROM @gone ORDER BY [Key]
TRUNCATE TABLE Status
SET IDENTITY_INSERT dbo.Status ON
INSERT dbo.Status ([Key], [Name], Value, Rate, Part, Note, Picture, Any_) VALUES (77, N'x', 0.5, 0.25, 1.5, 'long text', 0xFF, CAST('v' AS varchar(5)))
SET IDENTITY_INSERT dbo.Status OFF
SELECT [Key], Value, Rate, Part, Note, Picture, Any_, SQL_VARIANT_PROPERTY(Any_, 'BaseType') FROM Status
SET NOEXEC ON
DROP TABLE Status
SET NOEXEC OFF
SELECT DISTINCT o.type_desc, x.n FROM sys.objects o OUTER APPLY (SELECT COUNT(*) AS n FROM sys.columns c WHERE c.object_id = o.object_id) x
CROSS JOIN (SELECT 1 AS one UNION ALL SELECT 1) twice WHERE o.name LIKE N'Stat[u]s'
GO
--! rows
--! 10 | 2 | 4 | 5 | 4
--! rows
--! 1 | one.
--! 3 | n1.
--! rows
--! 77 | 0.5 | 0.25 | 1.500 | long text | 0xFF | v | varchar
--! rows
--! USER_TABLE | 14
-- FOR XML in its other modes, and XML namespaces on both sides.
CREATE TABLE Head (Id int PRIMARY KEY, Name varchar(10)); CREATE TABLE Line (HeadId int, Item varchar(10), Qty int NULL)
INSERT Head VALUES (1, 'a&b'), (2, 'c'); INSERT Line VALUES (1, 'x', 1), (1, 'y', NULL), (2, 'z', 3)
SELECT Head.Id, Head.Name, Line.Item, Line.Qty FROM Head INNER JOIN Line ON Line.HeadId = Head.Id ORDER BY Head.Id, Line.Item FOR XML AUTO, ROOT('all')
SELECT Item, Qty FROM Line FOR XML RAW('l'), ELEMENTS XSINIL
SELECT Id AS [@id], Name AS [name], (SELECT Item AS [*] FROM Line WHERE HeadId = Head.Id ORDER BY Item FOR XML PATH('i'), TYPE) AS items FROM Head ORDER BY Id FOR XML PATH('h'), ROOT
;WITH XMLNAMESPACES ('urn:p' AS p, DEFAULT 'urn:d')
SELECT Id AS [@p:id], Name AS [p:name] FROM Head WHERE Id = 2 FOR XML PATH('h'), TYPE
SELECT STUFF((SELECT ',' + Item FROM Line ORDER BY Item FOR XML PATH('')), 1, 1, '')
GO
--! rows
--! <all><Head Id="1" Name="a&amp;b"><Line Item="x" Qty="1"/><Line Item="y"/></Head><Head Id="2" Name="c"><Line Item="z" Qty="3"/></Head></all>
--! rows
--! <l xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Item>x</Item><Qty>1</Qty></l><l xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Item>y</Item><Qty xsi:nil="true"/></l><l xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Item>z</Item><Qty>3</Qty></l>
--! rows
--! <root><h id="1"><name>a&amp;b</name><items><i>x</i><i>y</i></items></h><h id="2"><name>c</name><items><i>z</i></items></h></root>
--! rows
--! <h xmlns="urn:d" xmlns:p="urn:p" p:id="2"><p:name>c</p:name></h>
--! rows
--! x,y,z
-- Poison: five rollbacks switch a queue off, and its notification says so.
ALTER QUEUE OddQueue WITH POISON_MESSAGE_HANDLING (STATUS = ON)
DECLARE @h uniqueidentifier, @i int = 0
BEGIN DIALOG @h FROM SERVICE OddService TO SERVICE N'OddService' WITH ENCRYPTION = OFF
SEND ON CONVERSATION @h
WHILE @i < 5
BEGIN
    BEGIN TRAN;
    RECEIVE TOP (1) @h = conversation_handle FROM OddQueue
    ROLLBACK
    SET @i = @i + 1
END
SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'OddQueue'
DECLARE @event xml
WAITFOR (RECEIVE TOP (1) @event = message_body FROM NoticeQueue), TIMEOUT 10000
SELECT @event.value('(/EVENT_INSTANCE/EventType)[1]', 'sysname'), @event.value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname')
ALTER QUEUE OddQueue WITH STATUS = ON
GO
--! rows
--! 0
--! rows
--! BROKER_QUEUE_DISABLED | OddQueue
-- What monitoring scripts read besides.
SELECT r.session_id, r.status, w.wait_type FROM sys.dm_exec_requests r LEFT JOIN sys.dm_os_waiting_tasks w ON w.session_id = r.session_id WHERE r.session_id = @@SPID
SELECT COUNT(*) FROM sys.dm_broker_connections UNION ALL SELECT COUNT(*) FROM sys.service_broker_endpoints UNION ALL SELECT COUNT(*) FROM sys.database_mirroring_endpoints
SELECT TOP (1) f.type_desc FROM sys.master_files f WHERE f.database_id = DB_ID() ORDER BY f.file_id
SELECT COUNT(*) FROM sys.messages WHERE message_id = 9617 AND language_id = 1033
SELECT COUNT(*) FROM sys.assemblies WHERE is_user_defined = 1
GO
--! rows
--! * | running | NULL
--! rows
--! 0
--! 0
--! 0
--! rows
--! \ROWS
--! rows
--! 1
--! rows
--! 0
CREATE ENDPOINT BrokerEndpoint STATE = STARTED AS TCP (LISTENER_PORT = 4022, LISTENER_IP = ALL) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = SUPPORTED)
USE master; GRANT CONNECT ON ENDPOINT::BrokerEndpoint TO public
ALTER ENDPOINT BrokerEndpoint STATE = STOPPED
SELECT name, state_desc, protocol_desc, type_desc FROM sys.endpoints WHERE name LIKE 'Broker%'
DROP ENDPOINT BrokerEndpoint
CREATE FULLTEXT CATALOG c AS DEFAULT
GO
--! rows
--! BrokerEndpoint | STOPPED | TCP | SERVICE_BROKER
--! error 40517 line 6
