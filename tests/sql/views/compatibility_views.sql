-- The views of SQL Server 2000, by their bare names.
CREATE DATABASE Old;
GO
USE Old;
GO
CREATE TABLE dbo.Parent (A int NOT NULL, B int NOT NULL, CONSTRAINT PK_Parent PRIMARY KEY (A, B));
CREATE TABLE dbo.Child (X int, Y int, Z nvarchar(10) CONSTRAINT DF_Z DEFAULT 'z', CONSTRAINT FK_Child FOREIGN KEY (X, Y) REFERENCES dbo.Parent (A, B),
    CONSTRAINT CK_Child CHECK (X > 0), CONSTRAINT UQ_Child UNIQUE (Z));
CREATE INDEX IX_Child ON dbo.Child (Y, X);
GO
CREATE PROCEDURE dbo.P @a nvarchar(7), @b int OUTPUT AS RETURN;
GO
SELECT OBJECT_NAME(constid), OBJECT_NAME(fkeyid), OBJECT_NAME(rkeyid), fkey, rkey, keyno FROM sysforeignkeys ORDER BY keyno;
SELECT OBJECT_NAME(constid), OBJECT_NAME(fkeyid), OBJECT_NAME(rkeyid), keycnt, fkey1, fkey2, fkey3, rkey1, rkey2 FROM sysreferences;
SELECT OBJECT_NAME(constid), OBJECT_NAME(id), colid, status & 15 FROM sysconstraints ORDER BY constid;
SELECT OBJECT_NAME(id), indid, name, keycnt, status & 2, status & 2048 FROM sysindexes WHERE id IN (OBJECT_ID('dbo.Parent'), OBJECT_ID('dbo.Child')) ORDER BY id, indid;
SELECT colid, keyno FROM sysindexkeys WHERE id = OBJECT_ID('dbo.Child') AND indid = INDEXPROPERTY(OBJECT_ID('dbo.Child'), 'IX_Child', 'IndexID') ORDER BY keyno;
SELECT name, colid, xtype, length, prec, isnullable, isoutparam FROM dbo.syscolumns WHERE id = OBJECT_ID('dbo.P') ORDER BY colid;
SELECT OBJECT_NAME(id), colid, text FROM syscomments WHERE OBJECT_NAME(id) LIKE '%[_]%' ORDER BY id;
SELECT name, xtype, length, variable, allownulls, usertype FROM systypes WHERE name IN ('int', 'nvarchar', 'sysname') ORDER BY name;
SELECT fileid, groupid, name FROM sysfiles ORDER BY fileid;
SELECT groupname FROM sysfilegroups;
SELECT name, dbid, cmptlevel, status & 8 FROM master..sysdatabases WHERE name = 'tempdb';
SELECT config, comment FROM master.dbo.sysconfigures WHERE config = 115;
SELECT dbo.syslanguages.alias FROM master.dbo.syslanguages WHERE langid = 0;
SELECT name, loginname, sysadmin FROM master.dbo.syslogins WHERE name = 'sa';
SELECT srvname, isremote FROM master.dbo.sysservers;
SELECT spid, RTRIM(status), RTRIM(loginame) FROM master.dbo.sysprocesses WHERE spid = @@SPID;
GO
--! rows
--! FK_Child | Child | Parent | 1 | 1 | 1
--! FK_Child | Child | Parent | 2 | 2 | 2
--! rows
--! FK_Child | Child | Parent | 2 | 1 | 2 | NULL | 1 | 2
--! rows unordered
--! PK_Parent | Parent | 0 | 1
--! DF_Z | Child | 3 | 5
--! CK_Child | Child | 0 | 4
--! UQ_Child | Child | 0 | 2
--! FK_Child | Child | 0 | 3
--! rows
--! Parent | 1 | PK_Parent | 2 | 2 | 2048
--! Child | 0 | NULL | 0 | 0 | 0
--! Child | * | * | * | * | 0
--! Child | * | * | * | * | 0
--! rows
--! 2 | 1
--! 1 | 2
--! rows
--! @a | 1 | 231 | 14 | 7 | 1 | 0
--! @b | 2 | 56 | 4 | 10 | 1 | 1
--! rows
--! DF_Z | 1 | ('z')
--! CK_Child | 1 | ([X]>(0))
--! rows
--! int | 56 | 4 | 0 | 1 | 7
--! nvarchar | 231 | 8000 | 1 | 1 | 0
--! sysname | 231 | 256 | 1 | 0 | 18
--! rows
--! 1 | 1 | Old
--! 2 | 0 | Old_log
--! rows
--! PRIMARY
--! rows
--! tempdb | 2 | * | 8
--! rows
--! 115 | Allow triggers to be invoked within triggers
--! rows
--! English
--! rows
--! sa | sa | 1
--! rows
--! SBQL | 1
--! rows
--! * | * | sa
-- the shape of a table type is an object with columns
CREATE TYPE dbo.Pairs AS TABLE (k int NOT NULL PRIMARY KEY, v nvarchar(5));
CREATE TYPE dbo.Others AS TABLE (x int);
GO
SELECT t.name, c.name, c.column_id, TYPE_NAME(c.user_type_id) FROM sys.table_types AS t JOIN sys.columns AS c ON c.object_id = t.type_table_object_id ORDER BY t.name, c.column_id;
SELECT LEFT(name, 9), type FROM sys.objects WHERE type = 'TT' ORDER BY name;
SELECT is_primary_key FROM sys.indexes AS i JOIN sys.table_types AS t ON t.type_table_object_id = i.object_id WHERE t.name = 'Pairs';
GO
--! rows
--! Others | x | 1 | int
--! Pairs | k | 1 | int
--! Pairs | v | 2 | nvarchar
--! rows
--! TT_Others | TT
--! TT_Pairs_ | TT
--! rows
--! 1
-- what ALTER DATABASE … SET keeps is shown
ALTER DATABASE Old SET AUTO_CLOSE ON, AUTO_UPDATE_STATISTICS OFF, PAGE_VERIFY NONE;
ALTER DATABASE Old SET CURSOR_DEFAULT LOCAL;
SELECT is_auto_close_on, is_auto_shrink_on, is_auto_create_stats_on, is_auto_update_stats_on, page_verify_option_desc, is_local_cursor_default, physical_database_name,
    catalog_collation_type_desc FROM sys.databases WHERE name = 'Old';
GO
--! rows
--! 1 | 0 | 1 | 0 | NONE | 1 | Old | DATABASE_DEFAULT
