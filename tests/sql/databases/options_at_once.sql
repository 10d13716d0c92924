-- Several options in one SET: those that exclude each other are refused, and none of them counts.
CREATE DATABASE Several;
GO
PRINT N'before'; ALTER DATABASE Several SET DISABLE_BROKER, ENABLE_BROKER;
GO
--! print before
--! error 5062
ALTER DATABASE Several SET NEW_BROKER, ERROR_BROKER_CONVERSATIONS;
GO
--! error 5062
ALTER DATABASE Several SET TRUSTWORTHY ON, DISABLE_BROKER, ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
GO
--! error 5062
ALTER DATABASE Several SET SINGLE_USER, MULTI_USER;
GO
--! error 5062
ALTER DATABASE Several SET RESTRICTED_USER, SINGLE_USER;
GO
--! error 5062
ALTER DATABASE Several SET OFFLINE, ONLINE;
GO
--! error 5062
ALTER DATABASE Several SET READ_ONLY, READ_WRITE;
GO
--! error 5062
ALTER DATABASE Several SET RECOVERY SIMPLE, RECOVERY FULL;
GO
--! error 5062
ALTER DATABASE Several SET TRUSTWORTHY ON, TRUSTWORTHY OFF;
GO
--! error 5062
ALTER DATABASE Several SET DISABLE_BROKER, DISABLE_BROKER;
GO
--! error 5062
SELECT is_broker_enabled, is_trustworthy_on, user_access_desc, state_desc, is_read_only, recovery_model_desc FROM sys.databases WHERE name = 'Several';
CREATE DATABASE Another WITH TRUSTWORTHY ON, TRUSTWORTHY OFF;
GO
--! rows
--! 1 | 0 | MULTI_USER | ONLINE | 0 | FULL
--! error 5062
EXEC sp_detach_db 'Several';
CREATE DATABASE Several ON (FILENAME = 'Several.mdf') FOR ATTACH WITH ENABLE_BROKER, NEW_BROKER;
GO
--! error 5062
CREATE DATABASE Several ON (FILENAME = 'Several.mdf') FOR ATTACH WITH NEW_BROKER;
-- Options of different kinds go together.
ALTER DATABASE Several SET DISABLE_BROKER, TRUSTWORTHY ON, SINGLE_USER, RECOVERY SIMPLE;
SELECT is_broker_enabled, is_trustworthy_on, user_access_desc, recovery_model_desc FROM sys.databases WHERE name = 'Several';
IF 1 = 0 ALTER DATABASE Several SET READ_ONLY, READ_WRITE;
GO
--! rows
--! 0 | 1 | SINGLE_USER | SIMPLE
--! spec ALTERDB-39
