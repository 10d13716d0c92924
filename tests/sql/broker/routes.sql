-- Routes: options, errors, lookup, lifetime.
CREATE DATABASE Routed;
CREATE DATABASE There;
GO
ALTER DATABASE Routed SET TRUSTWORTHY ON;
GO
USE There;
CREATE QUEUE Q;
CREATE SERVICE Both ON QUEUE Q ([DEFAULT]);
GO
USE Routed;
CREATE QUEUE Q1; CREATE QUEUE Q2;
CREATE SERVICE S1 ON QUEUE Q1;
CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT]);
CREATE SERVICE Both ON QUEUE Q2 ([DEFAULT]);
GO
CREATE PROCEDURE Talk @to nvarchar(256), @guid nvarchar(128) = NULL AS
BEGIN
    DECLARE @h uniqueidentifier;
    IF @guid IS NULL BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE @to WITH ENCRYPTION = OFF;
    ELSE BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE @to, @guid WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (@to);
END;
GO
-- Options and their errors.
CREATE ROUTE R1 WITH SERVICE_NAME = 'X', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', LIFETIME = 600,
    ADDRESS = 'TCP://host1:4022', MIRROR_ADDRESS = 'TCP://host2:4022';
CREATE ROUTE R2 AUTHORIZATION dbo WITH ADDRESS = 'TRANSPORT';
SELECT name, principal_id, remote_service_name, broker_instance, lifetime, address, mirror_address FROM sys.routes WHERE name LIKE 'R_' ORDER BY name;
DROP ROUTE R1; DROP ROUTE R2;
GO
--! rows
--! R1 | 1 | X | AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE | 2026-01-01 00:10:00.000 | TCP://host1:4022 | TCP://host2:4022
--! R2 | 1 | NULL | NULL | NULL | TRANSPORT | NULL
--! spec ROUTE-1 ROUTE-8 ROUTE-10 ROUTE-27
CREATE ROUTE R WITH SERVICE_NAME = 'X';
GO
--! error 102
--! spec ROUTE-2
CREATE ROUTE R WITH SERVICE_NAME = '', ADDRESS = 'LOCAL';
GO
--! error 9659
CREATE ROUTE R WITH SERVICE_NAME = 'X', ADDRESS = '';
GO
--! error 9659
--! spec ROUTE-17
DECLARE @sql nvarchar(max) = N'CREATE ROUTE R WITH ADDRESS = ''LOCAL'', SERVICE_NAME = ''' + REPLICATE(N'x', 257) + N'''';
EXEC (@sql);
GO
--! error 9660
--! spec ROUTE-18
CREATE ROUTE R WITH BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', ADDRESS = 'LOCAL';
GO
--! error 9662
--! spec ROUTE-7
CREATE ROUTE R WITH SERVICE_NAME = 'X', ADDRESS = 'TCP://host1:4022', MIRROR_ADDRESS = 'TCP://host2:4022';
GO
--! error 9661
--! spec ROUTE-13
CREATE ROUTE R WITH SERVICE_NAME = 'X', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', ADDRESS = 'LOCAL', MIRROR_ADDRESS = 'TCP://host2:4022';
GO
--! error 9743
--! spec ROUTE-14
CREATE ROUTE R WITH SERVICE_NAME = 'X', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', ADDRESS = 'TCP://host2:4022', MIRROR_ADDRESS = 'TCP://host2:4022';
GO
--! error 9747
--! spec ROUTE-15
CREATE ROUTE R WITH SERVICE_NAME = 'X', ADDRESS = 'nonsense';
GO
--! error 9744
CREATE ROUTE R WITH SERVICE_NAME = 'X', ADDRESS = 'TCP://host';
GO
--! error 9744
CREATE ROUTE R WITH SERVICE_NAME = 'X', ADDRESS = 'TCP://host:70000';
GO
--! error 9744
--! spec ROUTE-3
CREATE ROUTE R WITH SERVICE_NAME = 'X', ADDRESS = 'TRANSPORT';
GO
--! error 9745
--! spec ROUTE-16
CREATE ROUTE R WITH SERVICE_NAME = 'X', LIFETIME = 0, ADDRESS = 'LOCAL';
GO
--! error 9746
--! spec ROUTE-9
CREATE ROUTE AutoCreatedLocal WITH ADDRESS = 'LOCAL';
GO
--! error 2714
--! spec ROUTE-20
DROP ROUTE NoSuch;
GO
--! error 15151
ALTER ROUTE NoSuch WITH ADDRESS = 'LOCAL';
GO
--! error 15151
--! spec ROUTE-24
-- Several with the same service and address; ALTER changes what it names, and takes nothing away; ROLLBACK undoes all of it.
CREATE ROUTE Same1 WITH SERVICE_NAME = 'Same', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', LIFETIME = 60, ADDRESS = 'TCP://host1:4022';
CREATE ROUTE Same2 WITH SERVICE_NAME = 'Same', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', ADDRESS = 'TCP://host1:4022';
ALTER ROUTE Same1 WITH ADDRESS = 'LOCAL';
BEGIN TRANSACTION;
ALTER ROUTE Same2 WITH SERVICE_NAME = 'Changed';
DROP ROUTE Same1;
CREATE ROUTE Same3 WITH ADDRESS = 'LOCAL';
ROLLBACK;
SELECT name, remote_service_name, broker_instance, CASE WHEN lifetime IS NULL THEN 'never' ELSE 'some day' END, address FROM sys.routes WHERE name LIKE 'Same_' ORDER BY name;
GO
--! rows
--! Same1 | Same | AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE | some day | LOCAL
--! Same2 | Same | AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE | never | TCP://host1:4022
--! spec ROUTE-19 ROUTE-21 ROUTE-32
ALTER ROUTE Same1 WITH BROKER_INSTANCE = '';
GO
--! error 9659
ALTER ROUTE Same1 WITH LIFETIME = NULL;
GO
--! error 156
--! spec ROUTE-22
DROP ROUTE Same1; DROP ROUTE Same2;
-- Who may: CREATE ROUTE for creating, the owner or ALTER for the rest.
CREATE USER plain WITHOUT LOGIN; CREATE USER maker WITHOUT LOGIN;
GRANT CREATE ROUTE TO maker;
EXECUTE AS USER = 'plain';
CREATE ROUTE Mine WITH ADDRESS = 'LOCAL';
GO
--! error 262
--! spec ROUTE-25
REVERT;
EXECUTE AS USER = 'maker';
CREATE ROUTE Mine WITH SERVICE_NAME = 'Mine', ADDRESS = 'LOCAL';
ALTER ROUTE Mine WITH LIFETIME = 60;
SELECT USER_NAME(principal_id) FROM sys.routes WHERE name = 'Mine';
REVERT;
EXECUTE AS USER = 'plain';
GO
--! rows
--! maker
--! spec ROUTE-27
ALTER ROUTE Mine WITH LIFETIME = 60;
GO
--! error 15151
DROP ROUTE Mine;
GO
--! error 15151
REVERT;
DROP ROUTE Mine;
GO
--! spec ROUTE-26
-- Without a GUID the own database comes first (7.4); with the GUID of another one the message goes there.
DECLARE @there nvarchar(128) = (SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'There');
EXEC Talk N'Both';
EXEC Talk N'Both', @there;
SELECT (SELECT COUNT(*) FROM Q2), (SELECT COUNT(*) FROM There.dbo.Q);
RECEIVE status FROM Q2; RECEIVE status FROM There.dbo.Q;
GO
--! rows
--! 1 | 1
--! rows
--! 0
--! rows
--! 0
-- A service that nobody has; a service only in the other letter case: they wait with 9793 or 9796 as status.
EXEC Talk N'Nobody';
EXEC Talk N's2';
SELECT to_service_name, CASE WHEN transmission_status <> '' THEN 'reason' END FROM sys.transmission_queue ORDER BY to_service_name;
GO
--! rows
--! Nobody | reason
--! s2 | reason
-- A TCP route for a service wins over the wildcard LOCAL route: the message stays here (no network), with 9666 as its status.
CREATE ROUTE Away WITH SERVICE_NAME = 'S2', ADDRESS = 'TCP://elsewhere:4022';
EXEC Talk N'S2';
SELECT COUNT(*) FROM Q2;
SELECT CAST(message_body AS nvarchar(20)), CASE WHEN transmission_status LIKE '%Service Broker%' THEN '9666' ELSE transmission_status END
FROM sys.transmission_queue WHERE to_service_name = 'S2';
GO
--! rows
--! 0
--! rows
--! S2 | 9666
-- Dropped, or altered to LOCAL: the message is classified again and goes.
ALTER ROUTE Away WITH ADDRESS = 'LOCAL';
GO
--! advance 70s
SELECT CAST(message_body AS nvarchar(20)) FROM Q2;
RECEIVE status FROM Q2;
GO
--! rows
--! S2
--! rows
--! 0
-- An expired route stays in the view and is ignored; ALTER revives it.
ALTER ROUTE Away WITH ADDRESS = 'TCP://elsewhere:4022', LIFETIME = 60;
GO
--! advance 61s
EXEC Talk N'S2';
SELECT COUNT(*) FROM Q2;
SELECT COUNT(*) FROM sys.routes WHERE name = 'Away' AND lifetime < GETUTCDATE();
RECEIVE status FROM Q2;
ALTER ROUTE Away WITH LIFETIME = 60;
EXEC Talk N'S2';
SELECT COUNT(*) FROM Q2;
DROP ROUTE Away;
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 0
--! rows
--! 0
--! spec ROUTE-11 ROUTE-12
--! advance 70s
SELECT COUNT(*) FROM Q2;
RECEIVE status FROM Q2;
GO
--! rows
--! 1
--! rows
--! 0
-- A LOCAL route whose service is not here is dropped as a candidate, the wildcard is not asked (7.3): 9796.
CREATE ROUTE Named WITH SERVICE_NAME = 'Ghost', ADDRESS = 'LOCAL';
EXEC Talk N'Ghost';
SELECT CASE WHEN transmission_status <> '' THEN 'reason' END FROM sys.transmission_queue WHERE to_service_name = 'Ghost';
DROP ROUTE Named;
GO
--! rows
--! reason
-- A route without GUID wins over one with, for a conversation without GUID (2.5).
CREATE ROUTE WithGuid WITH SERVICE_NAME = 'S2', BROKER_INSTANCE = 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE', ADDRESS = 'TCP://elsewhere:4022';
CREATE ROUTE WithoutGuid WITH SERVICE_NAME = 'S2', ADDRESS = 'LOCAL';
EXEC Talk N'S2';
SELECT COUNT(*) FROM Q2;
EXEC Talk N'S2', N'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE';
SELECT to_broker_instance FROM sys.transmission_queue WHERE to_service_name = 'S2';
GO
--! rows
--! 1
--! rows
--! AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE
-- No route at all: delayed; END or the lifetime ends it, there is no dead letter queue.
DROP ROUTE WithGuid; DROP ROUTE WithoutGuid; DROP ROUTE AutoCreatedLocal;
RECEIVE status FROM Q2;
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 30;
SEND ON CONVERSATION @h (N'lost');
SELECT COUNT(*) FROM Q2;
GO
--! rows
--! 0
--! rows
--! 0
--! advance 31s
SELECT message_type_id FROM Q1;
SELECT state FROM sys.conversation_endpoints WHERE state = 'ER';
SELECT COUNT(*) FROM sys.transmission_queue WHERE message_body = CAST(N'lost' AS varbinary(20));
DECLARE @h uniqueidentifier = (SELECT conversation_handle FROM sys.conversation_endpoints WHERE state = 'ER');
END CONVERSATION @h;
SELECT COUNT(*) FROM sys.transmission_queue WHERE message_body = CAST(N'lost' AS varbinary(20));
GO
--! rows
--! 1
--! rows
--! ER
--! rows
--! 1
--! rows
--! 0
