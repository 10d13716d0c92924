-- System procedures and transactions: what they change is rolled back, or they do not run inside one.
EXEC sp_addmessage 50001, 16, 'first';
EXEC sp_addmessage 50002, 16, 'second';
BEGIN TRANSACTION;
EXEC sp_addmessage 50003, 16, 'third';
EXEC sp_addmessage 50001, 11, 'changed', @replace = 'replace';
EXEC sp_altermessage 50001, 'WITH_LOG', 'true';
SAVE TRANSACTION here;
EXEC sp_dropmessage 50002;
SELECT message_id, severity, is_event_logged, text FROM sys.messages WHERE message_id BETWEEN 50001 AND 50003 ORDER BY message_id;
ROLLBACK TRANSACTION here;
SELECT message_id, severity, is_event_logged, text FROM sys.messages WHERE message_id BETWEEN 50001 AND 50003 ORDER BY message_id;
ROLLBACK;
SELECT message_id, severity, is_event_logged, text FROM sys.messages WHERE message_id BETWEEN 50001 AND 50003 ORDER BY message_id;
GO
--! rows
--! 50001 | 11 | 1 | changed
--! 50003 | 16 | 0 | third
--! rows
--! 50001 | 11 | 1 | changed
--! 50002 | 16 | 0 | second
--! 50003 | 16 | 0 | third
--! rows
--! 50001 | 16 | 0 | first
--! 50002 | 16 | 0 | second
BEGIN TRANSACTION;
EXEC sp_configure 'nested triggers', 0;
ROLLBACK;
SELECT value FROM sys.configurations WHERE name = 'nested triggers';
EXEC sp_configure 'nested triggers', 0;
SELECT value FROM sys.configurations WHERE name = 'nested triggers';
GO
--! rows
--! 1
--! rows
--! 0
-- those of logins, users and roles do not run inside a transaction, and leave it as it is
CREATE TABLE dbo.codes (code int);
BEGIN TRANSACTION;
DECLARE @code int;
BEGIN TRY EXEC @code = sp_addlogin 'joe', 'Secret-1'; END TRY BEGIN CATCH INSERT dbo.codes VALUES (ERROR_NUMBER()); END CATCH;
SELECT @@TRANCOUNT, XACT_STATE(), SUSER_ID('joe');
ROLLBACK;
GO
--! rows
--! 1 | 1 | NULL
BEGIN TRANSACTION;
EXEC sp_adduser 'joe';
GO
--! error 15002
ROLLBACK;
BEGIN TRANSACTION;
EXEC sp_dbcmptlevel 'tempdb';
EXEC sp_dbcmptlevel 'tempdb', 150;
GO
--! error 15002
ROLLBACK;
-- nor do they begin one
SET IMPLICIT_TRANSACTIONS ON;
EXEC sp_addlogin 'joe', 'Secret-1';
EXEC sp_addsrvrolemember 'joe', 'sysadmin';
EXEC sp_droplogin 'joe';
SET IMPLICIT_TRANSACTIONS OFF;
PRINT @@TRANCOUNT;
GO
--! print 0
