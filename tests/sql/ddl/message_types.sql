-- Message types: validations and what they take, ALTER, DROP; contracts and what they allow.
CREATE DATABASE Kinds;
GO
USE Kinds;
EXEC ('CREATE SCHEMA app');
CREATE USER Ann WITHOUT LOGIN;
GO
CREATE XML SCHEMA COLLECTION app.Shape AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="a" type="xsd:int"/></xsd:schema>';
CREATE MESSAGE TYPE Bare;
CREATE MESSAGE TYPE [None] AUTHORIZATION Ann VALIDATION = NONE;
CREATE MESSAGE TYPE Nothing VALIDATION = EMPTY;
CREATE MESSAGE TYPE Formed VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE Valid VALIDATION = VALID_XML WITH SCHEMA COLLECTION app.Shape;
SELECT name, validation, validation_desc, USER_NAME(principal_id), CASE WHEN xml_collection_id IS NULL THEN 'no' ELSE 'yes' END
FROM sys.service_message_types WHERE message_type_id >= 65536 ORDER BY name;
GO
--! rows
--! Bare | N | BINARY | dbo | no
--! Formed | X | XML | dbo | no
--! None | N | BINARY | Ann | no
--! Nothing | E | EMPTY | dbo | no
--! Valid | X | XML | dbo | yes
--! spec TYPE-1 TYPE-2 TYPE-3 VIEW-2 VIEW-3 VIEW-4 VIEW-5 VIEW-6
SELECT m.name FROM sys.message_type_xml_schema_collection_usages u JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id
JOIN sys.xml_schema_collections c ON c.xml_collection_id = u.xml_collection_id AND c.name = 'Shape';
GO
--! rows
--! Valid
--! spec COLLECTION-7 VIEW-12 TYPE-11
CREATE MESSAGE TYPE Wrong VALIDATION = NONE AUTHORIZATION Ann;
GO
--! error 156
CREATE MESSAGE TYPE Wrong VALIDATION = VALID_XML;
GO
--! error 102
--! spec TYPE-10
CREATE MESSAGE TYPE Wrong VALIDATION = VALID_XML WITH SCHEMA COLLECTION Missing;
GO
--! error 15151
--! spec TYPE-12
CREATE CONTRACT Kinds (Bare SENT BY INITIATOR, [None] SENT BY ANY, Nothing SENT BY ANY, Formed SENT BY ANY, Valid SENT BY ANY);
CREATE CONTRACT [Backwards] AUTHORIZATION Ann (Bare SENT BY TARGET, [DEFAULT] SENT BY INITIATOR);
CREATE QUEUE Q; CREATE QUEUE Answers;
CREATE SERVICE Asks ON QUEUE Q; CREATE SERVICE Answers ON QUEUE Answers (Kinds, [Backwards]);
GO
CREATE PROCEDURE Try @type sysname, @body varbinary(max) AS
BEGIN
    -- What arrives: the type and the body, or the code of the error that comes back.
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Answers' ON CONTRACT Kinds WITH ENCRYPTION = OFF;
    IF @body IS NULL SEND ON CONVERSATION @h MESSAGE TYPE @type; ELSE SEND ON CONVERSATION @h MESSAGE TYPE @type (@body);
    WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
    SELECT @type, (SELECT COUNT(*) FROM Answers WHERE message_type_name = @type),
        (SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @h);
    END CONVERSATION @h WITH CLEANUP;
    DECLARE @t uniqueidentifier;
    SELECT @t = conversation_handle FROM sys.conversation_endpoints;
    IF @t IS NOT NULL END CONVERSATION @t WITH CLEANUP;
END;
GO
EXEC Try 'Bare', 0x00FF; EXEC Try 'Bare', NULL; EXEC Try 'Nothing', NULL; EXEC Try 'Nothing', 0x; EXEC Try 'Nothing', 0x01;
GO
--! rows
--! Bare | 1 | NULL
--! rows
--! Bare | 1 | NULL
--! rows
--! Nothing | 1 | NULL
--! rows
--! Nothing | 1 | NULL
--! rows
--! Nothing | 0 | -8430
--! spec TYPE-4 TYPE-5 TYPE-6 ERROR-8430
-- What to do about it: XML would not help.
SELECT COUNT(*) FROM sys.messages WHERE message_id = 8430 AND text LIKE N'%EMPTY takes no body%' AND text NOT LIKE N'%XML%';
GO
--! rows
--! 1
DECLARE @good varbinary(max) = CAST(N'<a>1</a>' AS varbinary(max)), @wrong varbinary(max) = CAST(N'<a>x</a>' AS varbinary(max)), @bad varbinary(max) = CAST(N'<a>' AS varbinary(max));
EXEC Try 'Formed', @good; EXEC Try 'Formed', 0x; EXEC Try 'Formed', @bad;
EXEC Try 'Valid', @good; EXEC Try 'Valid', @wrong; EXEC Try 'Valid', @bad;
GO
--! rows
--! Formed | 1 | NULL
--! rows
--! Formed | 1 | NULL
--! rows
--! Formed | 0 | -9615
--! rows
--! Valid | 1 | NULL
--! rows
--! Valid | 0 | -9615
--! rows
--! Valid | 0 | -9615
--! spec TYPE-7 TYPE-8 TYPE-9 TYPE-13 TYPE-14 TYPE-15 TYPE-16 ERROR-9615
-- Another database has the same name with another validation: the receiver's counts.
CREATE DATABASE Strict;
GO
USE Strict;
CREATE MESSAGE TYPE Bare VALIDATION = WELL_FORMED_XML; CREATE CONTRACT Kinds (Bare SENT BY INITIATOR);
CREATE QUEUE Q; CREATE SERVICE Strict ON QUEUE Q (Kinds);
GRANT SEND ON SERVICE::Strict TO public;
USE Kinds;
CREATE CONTRACT Loose (Bare SENT BY INITIATOR);
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Strict' ON CONTRACT Kinds WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Bare (0x00);
GO
--! settle
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q;
SELECT COUNT(*) FROM Strict.dbo.Q;
GO
--! rows
--! -9615
--! rows
--! 0
--! spec TYPE-17
-- ALTER: the validation and nothing else; what is in a queue stays as it is.
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Answers' ON CONTRACT Kinds WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [None] (0x0001);
ALTER MESSAGE TYPE [None] VALIDATION = WELL_FORMED_XML;
SELECT USER_NAME(principal_id), RTRIM(validation) FROM sys.service_message_types WHERE name = 'None';
RECEIVE message_body FROM Answers;
ALTER MESSAGE TYPE [None] VALIDATION = EMPTY; SELECT RTRIM(validation) FROM sys.service_message_types WHERE name = 'None';
ALTER MESSAGE TYPE [None] VALIDATION = NONE; SELECT RTRIM(validation) FROM sys.service_message_types WHERE name = 'None';
ALTER MESSAGE TYPE [None] VALIDATION = VALID_XML WITH SCHEMA COLLECTION app.Shape;
SELECT COUNT(xml_collection_id) FROM sys.service_message_types WHERE name = 'None';
ALTER MESSAGE TYPE [None] VALIDATION = NONE; SELECT COUNT(xml_collection_id) FROM sys.service_message_types WHERE name = 'None';
GO
--! rows
--! Ann | X
--! rows
--! 0x0001
--! rows
--! E
--! rows
--! N
--! rows
--! 1
--! rows
--! 0
--! spec TYPE-18 TYPE-19 TYPE-20
DROP MESSAGE TYPE Bare;
GO
--! error 3716
CREATE MESSAGE TYPE Gone;
DROP MESSAGE TYPE Gone;
SELECT COUNT(*) FROM sys.service_message_types WHERE name = 'Gone';
GO
--! rows
--! 0
--! spec TYPE-21 TYPE-22
-- Contracts: sides and owner; what is refused; no ALTER.
SELECT c.name, USER_NAME(c.principal_id), m.name, u.is_sent_by_initiator, u.is_sent_by_target FROM sys.service_contracts c
JOIN sys.service_contract_message_usages u ON u.service_contract_id = c.service_contract_id
JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id WHERE c.name IN ('Kinds', 'Backwards') ORDER BY c.name, m.name;
GO
--! rows
--! Backwards | Ann | Bare | 0 | 1
--! Backwards | Ann | DEFAULT | 1 | 0
--! Kinds | dbo | Bare | 1 | 0
--! Kinds | dbo | Formed | 1 | 1
--! Kinds | dbo | None | 1 | 1
--! Kinds | dbo | Nothing | 1 | 1
--! Kinds | dbo | Valid | 1 | 1
--! spec CONTRACT-1 CONTRACT-2 CONTRACT-3 CONTRACT-7 VIEW-7 VIEW-8
CREATE CONTRACT TargetOnly (Bare SENT BY TARGET);
GO
--! error 8492
--! spec CONTRACT-4
CREATE CONTRACT Twice (Bare SENT BY INITIATOR, Formed SENT BY ANY, Bare SENT BY TARGET);
GO
--! error 8403
--! spec CONTRACT-5
CREATE CONTRACT Unknown (Missing SENT BY ANY);
GO
--! error 15151
--! spec CONTRACT-6
ALTER CONTRACT Kinds (Bare SENT BY ANY);
GO
--! error 343
--! spec CONTRACT-10
-- Any type any number of times in any order; the target answers as soon as it has a message.
DECLARE @h uniqueidentifier, @t uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Answers' ON CONTRACT Kinds WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Nothing; SEND ON CONVERSATION @h MESSAGE TYPE Bare (0x01); SEND ON CONVERSATION @h MESSAGE TYPE Nothing;
SELECT @t = t.conversation_handle FROM sys.conversation_endpoints t JOIN sys.conversation_endpoints i ON i.conversation_id = t.conversation_id AND t.is_initiator = 0 WHERE i.conversation_handle = @h;
SEND ON CONVERSATION @t MESSAGE TYPE Nothing;
RECEIVE message_type_name FROM Answers WHERE conversation_handle = @t;
RECEIVE message_type_name FROM Q WHERE conversation_handle = @h;
SELECT state FROM sys.conversation_endpoints WHERE conversation_handle = @t;
-- The running conversation ends with an error when its contract is dropped.
ALTER SERVICE Answers (DROP CONTRACT Kinds);
DROP CONTRACT Kinds;
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT CAST(message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q WHERE conversation_handle = @h;
SELECT COUNT(*) FROM sys.service_contracts WHERE name = 'Kinds';
GO
--! rows
--! Nothing
--! Bare
--! Nothing
--! rows
--! Nothing
--! rows
--! CO
--! rows
--! -8425
--! rows
--! 0
--! spec CONTRACT-8 CONTRACT-9 CONTRACT-11 CONTRACT-17
CREATE CONTRACT Kinds (Bare SENT BY ANY);
USE Strict;
ALTER MESSAGE TYPE Bare VALIDATION = NONE;
USE Kinds;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Asks TO SERVICE 'Strict' ON CONTRACT Kinds WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Bare (0x01);
GO
--! settle
USE Strict;
SELECT COUNT(*) FROM Q;
ALTER SERVICE Strict (DROP CONTRACT Kinds);
DROP CONTRACT Kinds;
USE Kinds;
GO
--! rows
--! 1
--! settle
WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/Error')
SELECT TOP (1) CAST(q.message_body AS xml).value('(/Error/Code)[1]', 'int') FROM Q q
JOIN sys.conversation_endpoints e ON e.conversation_handle = q.conversation_handle WHERE e.far_service = 'Strict' ORDER BY queuing_order DESC;
DROP CONTRACT Kinds;
GO
--! rows
--! -8487
--! spec CONTRACT-13 ERROR-8487
DROP CONTRACT [Backwards];
GO
--! error 3716
--! spec CONTRACT-12
-- Schema collections: literal or variable of four types; ALTER … ADD.
DECLARE @x xml = N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="b" type="xsd:int"/></xsd:schema>', @v varchar(300), @n nvarchar(300), @b varbinary(600);
SET @n = CAST(@x AS nvarchar(300)); SET @v = @n; SET @b = CAST(@n AS varbinary(600));
CREATE XML SCHEMA COLLECTION C1 AS @x; CREATE XML SCHEMA COLLECTION C2 AS @v; CREATE XML SCHEMA COLLECTION C3 AS @n; CREATE XML SCHEMA COLLECTION C4 AS @b;
CREATE XML SCHEMA COLLECTION C5 AS '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="c" type="xsd:int"/></xsd:schema>';
ALTER XML SCHEMA COLLECTION C1 ADD '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:two"><xsd:element name="c" type="xsd:date"/></xsd:schema>';
CREATE MESSAGE TYPE Both VALIDATION = VALID_XML WITH SCHEMA COLLECTION C1; CREATE MESSAGE TYPE Bytes VALIDATION = VALID_XML WITH SCHEMA COLLECTION C4;
CREATE CONTRACT Kinds (Both SENT BY ANY, Bytes SENT BY ANY);
ALTER SERVICE Answers (ADD CONTRACT Kinds);
GO
DECLARE @one varbinary(max) = CAST(N'<b>1</b>' AS varbinary(max)), @two varbinary(max) = CAST(N'<c xmlns="urn:two">2026-01-01</c>' AS varbinary(max)),
    @three varbinary(max) = CAST(N'<d/>' AS varbinary(max));
EXEC Try 'Both', @one; EXEC Try 'Both', @two; EXEC Try 'Both', @three; EXEC Try 'Bytes', @one; EXEC Try 'Bytes', @two;
GO
--! rows
--! Both | 1 | NULL
--! rows
--! Both | 1 | NULL
--! rows
--! Both | 0 | -9615
--! rows
--! Bytes | 1 | NULL
--! rows
--! Bytes | 0 | -9615
--! spec COLLECTION-1 COLLECTION-2 COLLECTION-3
CREATE XML SCHEMA COLLECTION C1 AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"/>';
GO
--! error 6348
--! spec COLLECTION-5
ALTER XML SCHEMA COLLECTION Missing ADD N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"/>';
GO
--! error 6347
DROP XML SCHEMA COLLECTION Missing;
GO
--! error 15151
DROP XML SCHEMA COLLECTION C5;
SELECT name FROM sys.xml_schema_collections WHERE name LIKE 'C_' ORDER BY name;
GO
--! rows
--! C1
--! C2
--! C3
--! C4
--! spec COLLECTION-4 COLLECTION-6
