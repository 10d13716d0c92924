-- What administrators put around the broker: logins, certificates and signatures, routes to elsewhere, application locks, system
-- procedures, and the views that show what is stuck.
USE master;
GO
IF NOT EXISTS (SELECT * FROM sys.server_principals WHERE name = N'BrokerLogin')
    CREATE LOGIN BrokerLogin WITH PASSWORD = N'Pa$$w0rd!', DEFAULT_DATABASE = [master], CHECK_POLICY = OFF;
CREATE DATABASE Ops; CREATE DATABASE Partner;
GO
ALTER DATABASE Ops SET TRUSTWORTHY ON; ALTER DATABASE Partner SET TRUSTWORTHY ON;
GO
USE Partner;
GO
CREATE QUEUE PartnerQ; CREATE SERVICE [tcp://partner/Service] ON QUEUE PartnerQ ([DEFAULT]);
GRANT SEND ON SERVICE::[tcp://partner/Service] TO [public];
GO
USE Ops;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'S3cret!';
CREATE USER BrokerUser FOR LOGIN BrokerLogin WITH DEFAULT_SCHEMA = dbo;
CREATE USER ProxyUser WITHOUT LOGIN;
CREATE CERTIFICATE SignCert ENCRYPTION BY PASSWORD = 'S3cret!' WITH SUBJECT = 'Signs the worker', START_DATE = '20250101', EXPIRY_DATE = '20301231';
CREATE ROLE Workers AUTHORIZATION dbo;
EXEC sp_addrolemember N'Workers', N'BrokerUser';
ALTER ROLE Workers ADD MEMBER ProxyUser;
GO
CREATE PROCEDURE dbo.Worker WITH EXECUTE AS OWNER AS
    SELECT USER_NAME() AS who, DB_NAME() AS db;
GO
ADD SIGNATURE TO OBJECT::dbo.Worker BY CERTIFICATE SignCert WITH PASSWORD = 'S3cret!';
ALTER CERTIFICATE SignCert REMOVE PRIVATE KEY;
BACKUP CERTIFICATE SignCert TO FILE = 'C:\certs\sign.cer';
USE Partner;
CREATE CERTIFICATE SignCert FROM FILE = 'C:\certs\sign.cer';
CREATE USER SignUser FROM CERTIFICATE SignCert;
GRANT AUTHENTICATE TO SignUser;
USE Ops;
GRANT EXECUTE ON dbo.Worker TO Workers;
GRANT CONTROL ON SCHEMA::dbo TO BrokerUser WITH GRANT OPTION;
GRANT CREATE PROCEDURE, CREATE QUEUE, CREATE SERVICE TO Workers;
CREATE QUEUE OpsQ; CREATE SERVICE OpsService AUTHORIZATION dbo ON QUEUE OpsQ ([DEFAULT]);
GRANT RECEIVE, SELECT ON dbo.OpsQ TO Workers;
DENY SEND ON SERVICE::OpsService TO ProxyUser;
REVOKE SEND ON SERVICE::OpsService FROM ProxyUser;
ALTER AUTHORIZATION ON SERVICE::OpsService TO BrokerUser;
SELECT r.name AS role, m.name AS member FROM sys.database_role_members x
    JOIN sys.database_principals r ON r.principal_id = x.role_principal_id
    JOIN sys.database_principals m ON m.principal_id = x.member_principal_id WHERE r.name = 'Workers' ORDER BY member;
SELECT name, subject FROM sys.certificates WHERE name = 'SignCert';
SELECT name, subject, expiry_date FROM Partner.sys.certificates WHERE name = 'SignCert';
EXECUTE AS USER = 'ProxyUser';
EXEC dbo.Worker;
REVERT;
GO
--! rows
--! Workers | BrokerUser
--! Workers | ProxyUser
--! rows
--! SignCert | Signs the worker
--! rows
--! SignCert | Signs the worker | 2030-12-31 00:00:00.000
--! rows
--! dbo | Ops
-- Routes: one by name and address to another instance, one local; a dialog to another database needs neither.
CREATE ROUTE FarRoute AUTHORIZATION dbo WITH SERVICE_NAME = N'//far/Service', ADDRESS = N'TCP://far.example:4022', LIFETIME = 86400;
CREATE ROUTE NearRoute WITH SERVICE_NAME = 'tcp://partner/Service', ADDRESS = 'LOCAL';
CREATE REMOTE SERVICE BINDING FarBinding TO SERVICE '//far/Service' WITH USER = ProxyUser, ANONYMOUS = ON;
SELECT name, remote_service_name, address FROM sys.routes ORDER BY name;
DECLARE @near uniqueidentifier, @far uniqueidentifier, @guid uniqueidentifier, @status nvarchar(4000);
SELECT @guid = service_broker_guid FROM sys.databases WHERE name = N'Partner';
DECLARE @guid_text nvarchar(36) = CAST(@guid AS nvarchar(36));
BEGIN DIALOG @near FROM SERVICE OpsService TO SERVICE 'tcp://partner/Service', @guid_text WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @near;
BEGIN DIALOG @far FROM SERVICE OpsService TO SERVICE '//far/Service' WITH ENCRYPTION = OFF, LIFETIME = 30;
SEND ON CONVERSATION @far (N'lost');
SELECT @status = GET_TRANSMISSION_STATUS(@far);
IF @status IS NULL OR LEN(@status) >= 0 PRINT 'asked';
GO
--! rows
--! AutoCreatedLocal | NULL | LOCAL
--! FarRoute | //far/Service | TCP://far.example:4022
--! NearRoute | tcp://partner/Service | LOCAL
--! print asked
--! settle
SELECT message_type_name, message_body, validation FROM Partner.dbo.PartnerQ;
SELECT t.to_service_name, t.is_conversation_error, CASE WHEN t.transmission_status = '' THEN 'no status' ELSE 'status' END, e.state
FROM sys.transmission_queue t LEFT JOIN sys.conversation_endpoints e ON e.conversation_handle = t.conversation_handle;
SELECT COUNT(*) FROM Partner.sys.conversation_endpoints WHERE is_initiator = 0;
GO
--! rows
--! DEFAULT | NULL | N
--! rows
--! //far/Service | 0 | status | *
--! rows
--! 1
-- The lifetime of the lost dialog ends: an Error message for the initiator.
--! advance 31s
SELECT message_type_name, CAST(message_body AS xml).value('declare default element namespace "http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/Error/Code)[1]', 'int') AS code
FROM OpsQ;
GO
--! rows
--! http://schemas.microsoft.com/SQL/ServiceBroker/Error | -8489
-- Application locks make one of two sessions wait.
DECLARE @rc int;
BEGIN TRANSACTION;
EXEC @rc = sp_getapplock @Resource = N'singleton', @LockMode = N'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 0;
SELECT @rc;
GO
--! rows
--! 0
--! session other IN Ops
DECLARE @rc int;
EXEC @rc = sp_getapplock 'singleton', 'Exclusive', 'Session', 100;
SELECT @rc;
EXEC @rc = sp_getapplock 'singleton', 'Exclusive', 'Session', 60000;
SELECT @rc;
EXEC sp_releaseapplock 'singleton', 'Session';
GO
--! blocked
--! session main
--! advance 1s
COMMIT;
GO
--! finishes other
--! rows
--! -1
--! rows
--! 1
-- System procedures.
--! session main
USE Ops
CREATE TABLE dbo.Job (Id int IDENTITY(5,5) PRIMARY KEY, Name nvarchar(40) NOT NULL, Due datetime NULL);
INSERT dbo.Job (Name) VALUES (N'a'), (N'b');
EXEC sp_tables @table_name = 'Job', @table_type = "'TABLE'";
EXEC sp_columns Job;
EXEC sp_helpindex 'dbo.Job';
EXEC sp_spaceused 'dbo.Job';
EXEC sp_databases;
EXEC sp_helptext 'dbo.Worker';
GO
--! rows
--! columns TABLE_QUALIFIER | TABLE_OWNER | TABLE_NAME | TABLE_TYPE | REMARKS
--! Ops | dbo | Job | TABLE | NULL
--! rows
--! Ops | dbo | Job | Id | 4 | int identity | 10 | 4 | 0 | 10 | 0 | NULL | NULL | 4 | NULL | NULL | 1 | NO | 56
--! Ops | dbo | Job | Name | -9 | nvarchar | 40 | 80 | NULL | NULL | 0 | NULL | NULL | -9 | NULL | 80 | 2 | NO | 39
--! Ops | dbo | Job | Due | 11 | datetime | 23 | 16 | 3 | NULL | 1 | NULL | NULL | 9 | 3 | NULL | 3 | YES | 111
--! rows
--! * | clustered, unique, primary key located on PRIMARY | Id
--! rows
--! Job | 2 | * | * | * | *
--! rows
--! master | * | NULL
--! model | * | NULL
--! msdb | * | NULL
--! Ops | * | NULL
--! Partner | * | NULL
--! tempdb | * | NULL
--! rows
--! CREATE PROCEDURE dbo.Worker WITH EXECUTE AS OWNER AS\n
--!     SELECT USER_NAME() AS who, DB_NAME() AS db;
EXEC sp_help 'dbo.Job';
EXEC sp_helpdb Ops;
EXEC sp_who 'sa';
EXEC sp_who2 @@SPID;
EXEC sp_lock;
GO
EXEC sp_configure 'show advanced options', 1;
RECONFIGURE WITH OVERRIDE;
EXEC sp_configure 'clr enabled', 1;
RECONFIGURE;
EXEC master.dbo.sp_configure 'clr enabled';
GO
--! print configuration option 'show advanced options' changed from 0 to 1.
--! print configuration option 'clr enabled' changed from 0 to 1.
--! rows
--! columns name | minimum | maximum | config_value | run_value
--! clr enabled | 0 | 1 | 1 | 1
EXEC sp_configure 'no such option';
GO
--! error 15123
DECLARE @there int;
EXEC master..xp_fileexist 'Z:\no\such\file.cer', @there OUTPUT;
SELECT @there;
EXEC sp_addmessage @msgnum = 50123, @severity = 16, @msgtext = N'%s is stuck for %d s', @lang = 'us_english';
EXEC sys.sp_set_session_context @key = N'user', @value = N'me', @read_only = 1;
SET CONTEXT_INFO 0x0102;
SELECT SESSION_CONTEXT(N'user'), CAST(CONTEXT_INFO() AS varbinary(2)), FORMATMESSAGE(50123, 'OpsQ', 7);
RAISERROR (50123, 16, 1, N'OpsQ', 9);
GO
--! rows
--! 0
--! rows
--! me | 0x0102 | OpsQ is stuck for 7 s
--! error 50123 text OpsQ is stuck for 9 s
EXEC sp_dropmessage 50123;
EXEC sys.sp_set_session_context N'user', N'you';
GO
--! error 15664
-- What is not here says so by its name.
EXEC master.dbo.xp_cmdshell 'dir';
GO
--! error 15281 line 2
EXEC sp_addumpdevice 'disk', 'Dump', 'dump.bak';
GO
--! error 40517 line 1 text sp_addumpdevice
SELECT * FROM OPENQUERY(Far, 'SELECT 1');
GO
--! error 40517 line 1 text OPENQUERY
PRINT 'before';
EXEC sp_send_dbmail;
GO
--! print before
--! error 40517 line 2 text sp_send_dbmail
SELECT LEFT(t.text, 14) FROM sys.dm_exec_requests AS r
    CROSS APPLY sys.dm_exec_sql_text(r.sql_handle) AS t WHERE r.session_id = @@SPID;
GO
--! rows
--! SELECT LEFT(t.
SELECT * FROM sys.dm_exec_query_stats;
GO
--! error 40517 line 1 text sys.dm_exec_query_stats
SELECT * FROM sys.no_such_view;
GO
--! error 208
ALTER SCHEMA dbo TRANSFER other.Job;
GO
--! error 15151
EXEC sp_no_such_thing;
GO
--! error 2812
CHECKPOINT;
UPDATE STATISTICS dbo.Job;
DBCC DROPCLEANBUFFERS;
GO
USE master; DROP DATABASE Partner; DROP LOGIN BrokerLogin;
