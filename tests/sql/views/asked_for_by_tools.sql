CREATE TABLE t (id int IDENTITY PRIMARY KEY, d date, m nvarchar(max), x xml, ti time(3), c AS id + 1, d2 datetime2, o datetimeoffset, n decimal(9, 2), dt datetime)
GO
EXEC sp_special_columns 't', 'dbo', @qualifier = 'master'
GO
--! rows
--! 1 | id | 4 | int identity | 10 | 4 | 0 | 1
EXEC sp_special_columns 't', @qualifier = 'nowhere'
GO
--! error 15250
EXEC sp_special_columns 't', @table_qualifier = 'master'
GO
--! error 8145
--! spec TOOL-1

CREATE TABLE #c (tq sysname, tow sysname, tn sysname, name sysname, type int, tname sysname, p int, l int, s int, r int, nu int, re varchar(9) NULL, def nvarchar(99) NULL,
    sqltype int, sub int NULL, oct int NULL, pos int, isn varchar(9), sparse int, cs int, computed int, identity_ int, u1 sysname NULL, u2 sysname NULL, u3 sysname NULL,
    x1 sysname NULL, x2 sysname NULL, x3 sysname NULL, ss int)
ALTER TABLE #c ALTER COLUMN s int NULL
ALTER TABLE #c ALTER COLUMN r int NULL
INSERT INTO #c EXEC sp_columns_100 N't', N'dbo', NULL, NULL, @ODBCVer = 3
SELECT name, type, tname, l, sqltype, sub, computed, identity_ FROM #c ORDER BY pos
DELETE #c
INSERT INTO #c EXEC sp_columns_100 N't', N'dbo', NULL, N'd%', @fUsePattern = 1
SELECT name, type FROM #c ORDER BY pos
DELETE #c
INSERT INTO #c EXEC sp_columns_100 N't', N'dbo', NULL, N'd%', @fUsePattern = 0
SELECT COUNT(*) FROM #c
GO
--! rows
--! id | 4 | int identity | 4 | 4 | NULL | 0 | 1
--! d | 91 | date | 6 | 9 | 1 | 0 | 0
--! m | -9 | nvarchar | 0 | -9 | NULL | 0 | 0
--! x | -152 | xml | 0 | -152 | NULL | 0 | 0
--! ti | -154 | time | 12 | -154 | NULL | 0 | 0
--! c | 4 | int | 4 | 4 | NULL | 1 | 0
--! d2 | 93 | datetime2 | 16 | 9 | 3 | 0 | 0
--! o | -155 | datetimeoffset | 20 | -155 | NULL | 0 | 0
--! n | 3 | decimal | 11 | 3 | NULL | 0 | 0
--! dt | 93 | datetime | 16 | 9 | 3 | 0 | 0
--! rows
--! d | 9
--! d2 | 11
--! dt | 11
--! rows
--! 0
--! spec TOOL-2

EXEC sp_datatype_info_100 91, 3
EXEC sp_datatype_info_100 9
EXEC sp_datatype_info_100 -154
GO
--! rows
--! date | 91 | 10 | ' | ' | NULL | 1 | 0 | 3 | NULL | 0 | NULL | date | NULL | 0 | 9 | 1 | NULL | NULL | 0
--! rows
--! date | 9 | 10 | ' | ' | NULL | 1 | 0 | 3 | NULL | 0 | NULL | date | NULL | 0 | 9 | 1 | NULL | NULL | 0
--! rows
--! time | -154 | 16 | ' | ' | scale | 1 | 0 | 3 | NULL | 0 | NULL | time | 0 | 7 | -154 | NULL | NULL | NULL | 0
--! spec TOOL-3

CREATE TYPE list AS TABLE (a int)
GO
CREATE PROCEDURE p @a int, @b nvarchar(20) OUTPUT, @c varchar(max) = 'x', @d decimal(9, 2), @e list READONLY, @f datetime2(3) AS RETURN 1
GO
CREATE FUNCTION f (@a int) RETURNS varchar(30) AS BEGIN RETURN 'a' END
GO
CREATE TABLE #p (pc sysname, ps sysname, pn sysname, name sysname, pos int, type int, hasd bit, def nvarchar(9) NULL, isn bit, number int, l int NULL, o int NULL, p int NULL,
    s int NULL, tc sysname NULL, ts sysname NULL, tn sysname, x1 sysname NULL, x2 sysname NULL, x3 sysname NULL, dp int NULL)
INSERT INTO #p EXEC sp_procedure_params_100_managed 'p'
INSERT INTO #p EXEC sys.sp_procedure_params_100_managed @procedure_name = 'f', @procedure_schema = 'dbo', @parameter_name = '@RETURN_VALUE'
SELECT pn, name, type, number, l, p, s, tn, ts, dp FROM #p ORDER BY pn DESC, pos
GO
--! rows
--! p | @RETURN_VALUE | 4 | 8 | NULL | 10 | 0 | int | NULL | NULL
--! p | @a | 1 | 8 | NULL | 10 | 0 | int | NULL | NULL
--! p | @b | 2 | 12 | 20 | NULL | NULL | nvarchar | NULL | NULL
--! p | @c | 1 | 22 | 0 | NULL | NULL | varchar | NULL | NULL
--! p | @d | 1 | 5 | NULL | 9 | 2 | decimal | NULL | NULL
--! p | @e | 1 | 30 | NULL | NULL | NULL | list | dbo | NULL
--! p | @f | 1 | 33 | NULL | NULL | NULL | datetime2 | NULL | 3
--! f | @RETURN_VALUE | 4 | 22 | 30 | NULL | NULL | varchar | NULL | NULL
--! spec TOOL-4

DECLARE @has int
EXEC @has = master.dbo.xp_qv N'3409360076', N'server'
SELECT @has
GO
--! rows
--! 2
--! spec TOOL-5

DECLARE @mode int, @folder nvarchar(512), @none nvarchar(512) = N'as it was'
EXEC master.dbo.xp_instance_regread N'HKEY_LOCAL_MACHINE', N'Software\Microsoft\MSSQLServer\MSSQLServer', N'LoginMode', @mode OUTPUT
EXEC xp_instance_regread N'HKEY_LOCAL_MACHINE', N'Software\Microsoft\MSSQLServer\MSSQLServer', N'DefaultData', @folder OUTPUT, N'no_output'
EXEC xp_regread N'HKEY_LOCAL_MACHINE', N'Software\Microsoft\MSSQLServer\Nothing', N'None', @none OUTPUT
SELECT @mode, IIF(@folder IS NULL, 'none', 'a folder'), @none
EXEC xp_instance_regread N'HKEY_LOCAL_MACHINE', N'Software\Microsoft\MSSQLServer\MSSQLServer', N'LoginMode'
GO
--! print error 2
--! rows
--! 2 | a folder | as it was
--! rows
--! LoginMode | 2
--! spec TOOL-6

SELECT (SELECT COUNT(*) FROM sys.dm_hadr_database_replica_states AS r JOIN sys.availability_groups AS g ON g.group_id = r.group_id),
    (SELECT COUNT(*) FROM sys.availability_replicas), (SELECT COUNT(*) FROM sys.dm_hadr_cluster), (SELECT COUNT(*) FROM sys.dm_hadr_availability_replica_states WHERE is_local = 1 AND role_desc = 'PRIMARY')
SELECT COUNT(*) FROM sys.all_views WHERE name LIKE 'availability[_]%' OR name LIKE 'dm[_]hadr[_]%'
GO
--! rows
--! 0 | 0 | 0 | 0
--! rows
--! 19
--! spec TOOL-7

SELECT name, description FROM sys.fn_helpcollations() WHERE name IN ('Latin1_General_CI_AS', 'SQL_Latin1_General_CP1_CI_AS', 'Latin1_General_100_BIN2') ORDER BY name
SELECT COUNT(*) FROM ::fn_helpcollations() AS c WHERE COLLATIONPROPERTY(c.name, 'LCID') IS NULL
GO
--! rows
--! Latin1_General_100_BIN2 | Latin1-General-100, binary code point comparison sort
--! Latin1_General_CI_AS | Latin1-General, case-insensitive, accent-sensitive, kanatype-insensitive, width-insensitive
--! SQL_Latin1_General_CP1_CI_AS | Latin1-General, case-insensitive, accent-sensitive, kanatype-insensitive, width-insensitive for Unicode Data, SQL Server Sort Order 52 on Code Page 1252 for non-Unicode Data
--! rows
--! 0
--! spec TOOL-8

DECLARE @x varchar(10) = 'a'
SELECT STRING_AGG(@x, ','), STRING_AGG(N'b', ',') WITHIN GROUP (ORDER BY @x)
SELECT STRING_AGG('a', ',') WHERE 1 = 0
GO
--! rows
--! a | b
--! rows
--! NULL
--! spec TOOL-9
