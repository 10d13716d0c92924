-- A system procedure runs in the database that is named in front of it; sp_ procedures of master are found from everywhere.
CREATE DATABASE Sales;
GO
USE Sales;
GO
CREATE TABLE dbo.OnlyHere (Id int);
GO
USE master;
GO
EXEC Sales.dbo.sp_tables 'Only%';
EXEC Sales..sp_columns 'OnlyHere';
SELECT DB_NAME();
GO
--! rows
--! Sales | dbo | OnlyHere | TABLE | NULL
--! rows
--! Sales | dbo | OnlyHere | Id | 4 | int | 10 | 4 | 0 | 10 | 1 | NULL | NULL | 4 | NULL | NULL | 1 | YES | 38
--! rows
--! master
EXEC NoSuch..sp_help;
GO
--! error 911
CREATE TABLE #t (A int);
EXEC tempdb..sp_spaceused '#t';
SELECT LEFT(name, 3), LEN(name) FROM tempdb.sys.tables WHERE object_id = OBJECT_ID('tempdb..#t');
SELECT name FROM tempdb.sys.columns WHERE object_id = OBJECT_ID('tempdb..#t');
SELECT COUNT(*) FROM tempdb..sysobjects WHERE name LIKE '#t[_]%';
SELECT COUNT(*) FROM sys.objects WHERE name LIKE '#t%';
SELECT LEFT(OBJECT_NAME(OBJECT_ID('tempdb..#t'), 2), 3);
GO
--! rows
--! * | * | 0 KB | 0 KB | 0 KB | 0 KB
--! rows
--! #t_ | 128
--! rows
--! A
--! rows
--! 1
--! rows
--! 0
--! rows
--! #t_
-- somebody else's table is seen by whoever has VIEW SERVER STATE
--! session other
SELECT COUNT(*) FROM tempdb.sys.tables WHERE name LIKE '#t[_]%';
GO
--! rows
--! 1
--! session main
CREATE PROCEDURE dbo.sp_where AS SELECT DB_NAME(), COUNT(*) FROM sys.tables WHERE name = 'OnlyHere';
GO
USE Sales;
GO
EXEC sp_where;
EXEC dbo.sp_where;
GO
--! rows
--! master | 0
--! rows
--! master | 0
EXEC master..sp_MS_marksystemobject 'sp_where';
EXEC sp_where;
EXEC master..sp_where;
GO
--! rows
--! Sales | 1
--! rows
--! master | 0
CREATE PROCEDURE dbo.sp_where AS SELECT 'own';
GO
EXEC sp_where;
EXEC dbo.not_sp_where;
GO
--! rows
--! own
--! error 2812
EXEC sp_MSforeachtable 'SELECT ''?'', COUNT(*) FROM ?';
EXEC sp_MSforeachtable @command1 = 'PRINT ''*''', @replacechar = '*', @whereand = 'AND o.name LIKE ''Not%''';
EXEC sp_MSforeachdb @command1 = 'IF ''?'' = ''Sales'' BEGIN USE [?]; SELECT name FROM sys.tables END';
SELECT DB_NAME();
GO
--! rows
--! [dbo].[OnlyHere] | 0
--! rows
--! OnlyHere
--! rows
--! Sales
