-- sp_addextendedproperty, sp_updateextendedproperty, sp_dropextendedproperty: stored, listed, gone with what they describe.
CREATE DATABASE Props;
GO
USE Props;
GO
CREATE TABLE dbo.T (Id int NOT NULL CONSTRAINT PK_T PRIMARY KEY, Name nvarchar(10), Gone int);
CREATE INDEX IX_T ON dbo.T (Name);
GO
CREATE PROCEDURE dbo.P @a int AS RETURN;
GO
EXEC sp_addextendedproperty @name = N'Caption', @value = N'whole database';
EXEC sp_addextendedproperty N'MS_Description', N'a table', 'SCHEMA', 'dbo', 'TABLE', 'T';
EXEC sys.sp_addextendedproperty N'MS_Description', 42, 'SCHEMA', 'dbo', 'TABLE', 'T', 'COLUMN', 'Name';
EXEC sp_addextendedproperty N'Note', $1.5, 'SCHEMA', 'dbo', 'TABLE', 'T', 'COLUMN', 'Gone';
EXEC sp_addextendedproperty N'Note', N'key', 'SCHEMA', 'dbo', 'TABLE', 'T', 'CONSTRAINT', 'PK_T';
EXEC sp_addextendedproperty N'Note', N'index', 'SCHEMA', 'dbo', 'TABLE', 'T', 'INDEX', 'IX_T';
EXEC sp_addextendedproperty N'Note', N'parameter', 'SCHEMA', 'dbo', 'PROCEDURE', 'P', 'PARAMETER', '@a';
EXEC sp_addextendedproperty N'Note', NULL, 'USER', 'guest';
GO
SELECT class, class_desc, OBJECT_NAME(major_id), minor_id, name, value, SQL_VARIANT_PROPERTY(value, 'BaseType') FROM sys.extended_properties;
GO
--! rows unordered
--! 0 | DATABASE | NULL | 0 | Caption | whole database | nvarchar
--! 1 | OBJECT_OR_COLUMN | T | 0 | MS_Description | a table | nvarchar
--! 1 | OBJECT_OR_COLUMN | T | 2 | MS_Description | 42 | int
--! 1 | OBJECT_OR_COLUMN | T | 3 | Note | 1.5000 | money
--! 1 | OBJECT_OR_COLUMN | PK_T | 0 | Note | key | nvarchar
--! 7 | INDEX | T | 2 | Note | index | nvarchar
--! 2 | PARAMETER | P | 1 | Note | parameter | nvarchar
--! 4 | DATABASE_PRINCIPAL | NULL | 0 | Note | NULL | NULL
SELECT * FROM fn_listextendedproperty(default, default, default, default, default, default, default);
SELECT * FROM sys.fn_listextendedproperty(N'MS_Description', 'SCHEMA', 'dbo', 'TABLE', default, default, default);
SELECT objtype, objname, name, value FROM fn_listextendedproperty(NULL, 'SCHEMA', 'dbo', 'TABLE', 'T', 'COLUMN', NULL) ORDER BY objname;
SELECT * FROM fn_listextendedproperty(NULL, 'NONSENSE', 'dbo', NULL, NULL, NULL, NULL);
GO
--! rows
--! columns objtype | objname | name | value
--! NULL | NULL | Caption | whole database
--! rows
--! TABLE | T | MS_Description | a table
--! rows
--! COLUMN | Gone | Note | 1.5000
--! COLUMN | Name | MS_Description | 42
--! rows
EXEC sp_addextendedproperty N'MS_Description', N'again', 'SCHEMA', 'dbo', 'TABLE', 'T';
GO
--! error 15233 text dbo.T
EXEC sp_updateextendedproperty N'Nothing', N'x', 'SCHEMA', 'dbo', 'TABLE', 'T';
GO
--! error 15217 text Nothing
EXEC sp_dropextendedproperty N'Nothing', 'SCHEMA', 'dbo', 'TABLE', 'T', 'COLUMN', 'Name';
GO
--! error 15217 text dbo.T.Name
EXEC sp_addextendedproperty N'x', N'y', 'SCHEMA', 'dbo', 'TABLE', 'NoSuch';
GO
--! error 15135 text dbo.NoSuch
EXEC sp_addextendedproperty N'x', N'y', 'PLANET', 'Mars';
GO
--! error 15600
EXEC sp_addextendedproperty N'x', N'y', NULL, 'dbo';
GO
--! error 15600
EXEC sp_addextendedproperty N'x', N'y', 'SCHEMA', 'dbo', NULL, NULL, 'COLUMN', 'Name';
GO
--! error 15600
EXEC sp_addextendedproperty N'x', N'y', 'SCHEMA';
GO
--! error 15600
EXEC sp_updateextendedproperty N'MS_Description', N'another', 'SCHEMA', 'dbo', 'TABLE', 'T';
EXEC sp_dropextendedproperty N'Caption';
ALTER TABLE dbo.T DROP COLUMN Gone;
DROP INDEX IX_T ON dbo.T;
EXEC sp_rename 'dbo.T.Name', 'Title', 'COLUMN';
SELECT name, value FROM sys.extended_properties WHERE class IN (0, 1, 7) ORDER BY minor_id, name;
GO
--! rows
--! MS_Description | another
--! Note | key
--! MS_Description | 42
BEGIN TRANSACTION;
DROP TABLE dbo.T;
SELECT COUNT(*) FROM sys.extended_properties WHERE class = 1;
ROLLBACK;
SELECT COUNT(*) FROM sys.extended_properties WHERE class = 1;
GO
--! rows
--! 0
--! rows
--! 3
--! restart
--! session main IN Props
SELECT name, value FROM sys.extended_properties WHERE class = 1 AND minor_id = 2;
GO
--! rows
--! MS_Description | 42
CREATE USER Reader WITHOUT LOGIN;
EXECUTE AS USER = 'Reader';
EXEC sp_addextendedproperty N'x', N'y';
GO
--! error 15247
REVERT;
GO
