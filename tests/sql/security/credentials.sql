-- Credentials are kept by name and identity, of the server and of a database; FILESTREAM columns are columns.
CREATE DATABASE D; CREATE LOGIN nobody WITH PASSWORD = 'Secret-1'
GO
USE D
GO
CREATE USER nobody FOR LOGIN nobody;
CREATE CREDENTIAL [https://there/backups] WITH IDENTITY = 'SHARED ACCESS SIGNATURE', SECRET = 'sv=2022';
CREATE DATABASE SCOPED CREDENTIAL there WITH IDENTITY = N'me';
CREATE CREDENTIAL there WITH IDENTITY = 'other';
ALTER CREDENTIAL there WITH IDENTITY = 'another', SECRET = 'x';
SELECT name, credential_identity, target_type FROM sys.credentials ORDER BY name;
SELECT name, credential_identity FROM sys.database_scoped_credentials
GO
--! rows
--! https://there/backups | SHARED ACCESS SIGNATURE | NULL
--! there | another | NULL
--! rows
--! there | me
CREATE CREDENTIAL THERE WITH IDENTITY = 'x'
GO
--! error 15530
CREATE DATABASE SCOPED CREDENTIAL there WITH IDENTITY = 'x'
GO
--! error 15530
ALTER CREDENTIAL nothing WITH IDENTITY = 'x'
GO
--! error 15151
ALTER DATABASE SCOPED CREDENTIAL nothing WITH IDENTITY = 'x'
GO
--! error 15151
CREATE CREDENTIAL keys WITH IDENTITY = 'x' FOR CRYPTOGRAPHIC PROVIDER p
GO
--! error 40517
EXECUTE AS LOGIN = 'nobody';
SELECT COUNT(*) FROM sys.credentials; SELECT COUNT(*) FROM sys.database_scoped_credentials
GO
--! rows
--! 0
--! rows
--! 0
CREATE CREDENTIAL mine WITH IDENTITY = 'x'
GO
--! error 15247
CREATE DATABASE SCOPED CREDENTIAL mine WITH IDENTITY = 'x'
GO
--! error 15247
DROP CREDENTIAL there
GO
--! error 15151
REVERT;
DROP DATABASE SCOPED CREDENTIAL there; DROP CREDENTIAL there; DROP CREDENTIAL [https://there/backups];
SELECT COUNT(*) FROM sys.credentials
GO
--! rows
--! 0
--! spec TOOL-10
CREATE TRIGGER heard ON ALL SERVER FOR DDL_CREDENTIAL_EVENTS AS DECLARE @text nvarchar(max) = EVENTDATA().value('(/EVENT_INSTANCE/TSQLCommand/CommandText)[1]', 'nvarchar(max)'); PRINT @text
GO
CREATE CREDENTIAL told WITH IDENTITY = 'me', SECRET = 'hidden'
GO
--! print SECRET = '******'
DROP TRIGGER heard ON ALL SERVER; DROP CREDENTIAL told
GO
CREATE TABLE files (id uniqueidentifier ROWGUIDCOL NOT NULL UNIQUE DEFAULT NEWID(), body varbinary(max) FILESTREAM NULL) ON [PRIMARY] FILESTREAM_ON [PRIMARY];
INSERT files (body) VALUES (0x0102);
SELECT body FROM files;
SELECT name, is_filestream FROM sys.columns WHERE object_id = OBJECT_ID('files') ORDER BY column_id
GO
--! rows
--! 0x0102
--! rows
--! id | 0
--! body | 1
CREATE TABLE bad (id uniqueidentifier ROWGUIDCOL NOT NULL, body varbinary(max) FILESTREAM)
GO
--! error 5505
CREATE TABLE bad (id uniqueidentifier ROWGUIDCOL UNIQUE, body varbinary(max) FILESTREAM)
GO
--! error 5505
CREATE TABLE bad (id uniqueidentifier ROWGUIDCOL NOT NULL UNIQUE, body varbinary(8000) FILESTREAM)
GO
--! error 102
--! spec TOOL-11
