-- A lab about priorities: three service levels, messages sent in the wrong order, received by level; then the priorities are changed and dropped.
USE master
GO
CREATE DATABASE ssb_prio
GO
ALTER DATABASE ssb_prio SET HONOR_BROKER_PRIORITY ON
GO
SELECT name, is_honor_broker_priority_on FROM sys.databases WHERE name = 'ssb_prio'
GO
--! rows
--! ssb_prio | 1
USE ssb_prio
GO
CREATE MESSAGE TYPE msg_hello VALIDATION = WELL_FORMED_XML
CREATE CONTRACT goldContract (msg_hello SENT BY ANY)
CREATE CONTRACT silverContract (msg_hello SENT BY ANY)
CREATE CONTRACT bronzeContract (msg_hello SENT BY ANY)
CREATE QUEUE srcQ; CREATE QUEUE dstQ
CREATE SERVICE src ON QUEUE srcQ
CREATE SERVICE dst ON QUEUE dstQ (goldContract, silverContract, bronzeContract)
GO
CREATE BROKER PRIORITY goldPriority
    FOR CONVERSATION
    SET (CONTRACT_NAME = goldContract,
         LOCAL_SERVICE_NAME = ANY,
         REMOTE_SERVICE_NAME = ANY,
         PRIORITY_LEVEL = 9)
GO
CREATE BROKER PRIORITY silverPriority FOR CONVERSATION SET (CONTRACT_NAME = silverContract, LOCAL_SERVICE_NAME = dst, REMOTE_SERVICE_NAME = N'src', PRIORITY_LEVEL = 6)
CREATE BROKER PRIORITY bronzePriority FOR CONVERSATION SET (CONTRACT_NAME = bronzeContract, PRIORITY_LEVEL = 2)
CREATE BROKER PRIORITY defaultPriority FOR CONVERSATION
GO
SELECT p.name, c.name AS contract, s.name AS local, p.remote_service_name, p.priority
FROM sys.conversation_priorities p LEFT JOIN sys.service_contracts c ON c.service_contract_id = p.service_contract_id
LEFT JOIN sys.services s ON s.service_id = p.local_service_id ORDER BY p.priority DESC
GO
--! rows
--! goldPriority | goldContract | NULL | NULL | 9
--! silverPriority | silverContract | dst | src | 6
--! defaultPriority | NULL | NULL | NULL | 5
--! bronzePriority | bronzeContract | NULL | NULL | 2
DECLARE @c SYSNAME, @i INT, @h UNIQUEIDENTIFIER, @m XML
SET @i = 1
WHILE @i <= 4
BEGIN
    SET @c = CASE @i WHEN 1 THEN 'bronzeContract' WHEN 2 THEN 'silverContract' WHEN 3 THEN 'goldContract' ELSE 'silverContract' END
    SET @m = '<hello n="' + CAST(@i AS VARCHAR(2)) + '"/>'
    BEGIN DIALOG CONVERSATION @h FROM SERVICE src TO SERVICE 'dst' ON CONTRACT @c WITH ENCRYPTION = OFF
    ;SEND ON CONVERSATION @h MESSAGE TYPE msg_hello (@m)
    SET @i += 1
END
SELECT priority, is_initiator, COUNT(*) AS n FROM sys.conversation_endpoints GROUP BY priority, is_initiator ORDER BY 2, 1 DESC
GO
--! rows
--! 9 | 0 | 1
--! 6 | 0 | 2
--! 2 | 0 | 1
--! 9 | 1 | 1
--! 5 | 1 | 2
--! 2 | 1 | 1
DECLARE @seen VARCHAR(100) = '', @m XML, @p TINYINT
WHILE 1 = 1
BEGIN
    RECEIVE TOP (1) @m = message_body, @p = priority FROM dstQ
    IF @@ROWCOUNT = 0 BREAK
    SET @seen += CONCAT(@m.value('/hello[1]/@n', 'int'), '@', @p, ' ')
END
PRINT @seen
GO
--! print 3@9 2@6 4@6 1@2
ALTER BROKER PRIORITY silverPriority FOR CONVERSATION SET (PRIORITY_LEVEL = 1, REMOTE_SERVICE_NAME = ANY)
ALTER BROKER PRIORITY bronzePriority FOR CONVERSATION SET (CONTRACT_NAME = ANY, LOCAL_SERVICE_NAME = src, PRIORITY_LEVEL = DEFAULT)
SELECT name, priority, remote_service_name FROM sys.conversation_priorities WHERE name LIKE '[sb]%' ORDER BY name
GO
--! rows
--! bronzePriority | 5 | NULL
--! silverPriority | 1 | NULL
CREATE BROKER PRIORITY again FOR CONVERSATION SET (CONTRACT_NAME = goldContract, PRIORITY_LEVEL = 3)
GO
--! error 33303
CREATE BROKER PRIORITY tooHigh FOR CONVERSATION SET (PRIORITY_LEVEL = 11)
GO
--! error 33302
CREATE BROKER PRIORITY goldPriority FOR CONVERSATION SET (CONTRACT_NAME = bronzeContract, LOCAL_SERVICE_NAME = dst, PRIORITY_LEVEL = 3)
GO
--! error 33303
DROP CONTRACT goldContract
GO
--! error 3716
DROP BROKER PRIORITY goldPriority; DROP BROKER PRIORITY silverPriority; DROP BROKER PRIORITY bronzePriority; DROP BROKER PRIORITY defaultPriority
DROP BROKER PRIORITY goldPriority
GO
--! error 15151 line 2
