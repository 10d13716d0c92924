-- Catalogue procedures and lists with their documented result sets.
CREATE TABLE dbo.T (Id int IDENTITY NOT NULL PRIMARY KEY, Code char(3) NOT NULL UNIQUE, Price money, At datetime2(3) DEFAULT SYSDATETIME(), V rowversion,
    Calc AS Price * 2);
GO
CREATE VIEW dbo.V AS SELECT Code FROM dbo.T;
GO
CREATE PROCEDURE dbo.P @Id int, @Name nvarchar(30) OUTPUT AS SELECT Code FROM dbo.T WHERE Id = @Id; UPDATE dbo.T SET Price = 1;
GO
EXEC sp_columns 'T', @column_name = 'P%';
EXEC sp_sproc_columns 'P';
EXEC sp_special_columns 'T';
EXEC sp_special_columns 'T', @col_type = 'V';
EXEC sp_server_info 16;
EXEC sp_datatype_info -5;
GO
--! rows
--! columns TABLE_QUALIFIER | TABLE_OWNER | TABLE_NAME | COLUMN_NAME | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | RADIX | NULLABLE | REMARKS | COLUMN_DEF | SQL_DATA_TYPE | SQL_DATETIME_SUB | CHAR_OCTET_LENGTH | ORDINAL_POSITION | IS_NULLABLE | SS_DATA_TYPE
--! master | dbo | T | Price | 3 | money | 19 | 21 | 4 | 10 | 1 | NULL | NULL | 3 | NULL | NULL | 3 | YES | 110
--! rows
--! columns PROCEDURE_QUALIFIER | PROCEDURE_OWNER | PROCEDURE_NAME | COLUMN_NAME | COLUMN_TYPE | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | RADIX | NULLABLE | REMARKS | COLUMN_DEF | SQL_DATA_TYPE | SQL_DATETIME_SUB | CHAR_OCTET_LENGTH | ORDINAL_POSITION | IS_NULLABLE | SS_DATA_TYPE
--! master | dbo | P;1 | @RETURN_VALUE | 5 | 4 | int | 10 | 4 | 0 | 10 | 0 | NULL | NULL | 4 | NULL | NULL | 0 | NO | 56
--! master | dbo | P;1 | @Id | 1 | 4 | int | 10 | 4 | 0 | 10 | 1 | NULL | NULL | 4 | NULL | NULL | 1 | YES | 38
--! master | dbo | P;1 | @Name | 2 | -9 | nvarchar | 30 | 60 | NULL | NULL | 1 | NULL | NULL | -9 | NULL | 60 | 2 | YES | 39
--! rows
--! columns SCOPE | COLUMN_NAME | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | PSEUDO_COLUMN
--! 1 | Id | 4 | int identity | 10 | 4 | 0 | 1
--! rows
--! 1 | V | -2 | timestamp | 8 | 8 | NULL | 1
--! rows
--! columns attribute_id | attribute_name | attribute_value
--! 16 | IDENTIFIER_CASE | MIXED
--! rows
--! bigint | -5 | 19 | NULL | NULL | NULL | 1 | 0 | 2 | 0 | 0 | 0 | bigint | 0 | 0 | -5 | NULL | 10 | NULL | 0
--! bigint identity | -5 | 19 | NULL | NULL | NULL | 0 | 0 | 2 | 0 | 0 | 1 | bigint identity | 0 | 0 | -5 | NULL | 10 | NULL | 0
EXEC sp_columns 'T', @table_qualifier = 'elsewhere';
GO
--! error 15250
EXEC sp_depends 'dbo.P';
EXEC sp_depends 'dbo.T';
GO
--! rows
--! columns name | type | updated | selected | column
--! dbo.T | user table | no | yes | Code
--! dbo.T | user table | no | yes | Id
--! dbo.T | user table | yes | no | Price
--! rows
--! dbo.T | user table | no | yes | Price
--! rows
--! columns name | type
--! dbo.P | stored procedure
--! dbo.V | view
--! print references the following
--! print references the following
--! print is referenced by the following
EXEC sp_helptext 'dbo.T', 'Calc';
EXEC sp_helptext 'dbo.V';
GO
--! rows
--! columns Text
--! ([Price]*(2))
--! rows
--! CREATE VIEW dbo.V AS SELECT Code FROM dbo.T;
EXEC sp_helptext 'dbo.T';
GO
--! error 15197
EXEC sp_helptext 'dbo.T', 'Price';
GO
--! error 15646
EXEC sp_helptext 'dbo.T', 'Nothing';
GO
--! error 15645
EXEC sp_helptext 'dbo.V', 'Code';
GO
--! error 15218
EXEC sp_helplanguage 'Deutsch';
EXEC sp_helpsrvrole 'sysadmin';
EXEC sp_helpsrvrolemember 'sysadmin';
EXEC sp_helpdbfixedrole 'db_owner';
EXEC sp_helpfilegroup;
EXEC sp_helpstats 'dbo.V', 'ALL';
GO
--! rows
--! 1 | dmy | 1 | 0 | Deutsch | German | * | * | * | 1031 | 1031
--! rows
--! columns ServerRole | Description
--! sysadmin | System Administrators
--! rows
--! sysadmin | sa | 0x01
--! rows
--! db_owner | DB Owners
--! rows
--! columns groupname | groupid | filecount
--! PRIMARY | 1 | 1
--! print does not have any statistics
EXEC sp_helplanguage 'Klingon';
GO
--! error 15033
EXEC sp_helpprotect_nothing;
GO
--! error 2812
EXEC sp_helprotect;
GO
--! error 15330
GRANT SELECT ON dbo.T TO guest;
DENY UPDATE ON dbo.T (Code) TO guest;
GRANT CREATE TABLE TO guest;
EXEC sp_helprotect;
GO
--! rows
--! columns Owner | Object | Grantee | Grantor | ProtectType | Action | Column
--! . | . | guest | dbo | Grant      | Create table | .
--! dbo | T | guest | dbo | Deny       | Update | Code
--! dbo | T | guest | dbo | Grant      | Select | (All+New)
DECLARE @s varchar(100), @a varchar(20), @b varchar(20);
EXEC xp_sprintf @s OUTPUT, 'INSERT %s VALUES (%s)', 'T', '7';
EXEC xp_sscanf 'sync -b -fproducts10.tmp -rrandom', 'sync -b -f%s -r%s', @a OUTPUT, @b OUTPUT;
SELECT @s, @a, @b;
EXEC xp_msver 'Language';
GO
--! rows
--! INSERT T VALUES (7) | products10.tmp | random
--! rows
--! columns Index | Name | Internal_Value | Character_Value
--! 3 | Language | 1033 | English (United States)
DECLARE @s varchar(100), @a varchar(20), @b varchar(20), @c varchar(20);
EXEC xp_sscanf '12345abc x', '%2s%s %s', @a OUTPUT, @b OUTPUT, @c OUTPUT;
SELECT @a, @b, @c;
SELECT @a = NULL, @b = NULL;
EXEC xp_sscanf 'one,two three', '%s,%s four', @a OUTPUT, @b OUTPUT;
SELECT @a, @b;
SELECT @a = NULL, @b = NULL;
EXEC xp_sscanf 'one', '%99999999999999999999s%s', @a OUTPUT, @b OUTPUT;
SELECT @a, @b;
GO
--! rows
--! 12 | 345abc | x
--! rows
--! one | two
--! rows
--! one | NULL
EXEC xp_cmdshell 'dir';
GO
--! error 15281
EXEC sp_configure 'xp_cmdshell', 1;
GO
--! error 15123
EXEC sp_configure 'show advanced', 1;
RECONFIGURE;
EXEC sp_configure 'xp_cmdshell', 1;
RECONFIGURE;
SELECT value_in_use, is_advanced FROM sys.configurations WHERE name = 'xp_cmdshell';
EXEC xp_cmdshell 'dir';
GO
--! rows
--! 1 | 1
--! error 40517 text xp_cmdshell
EXEC sp_configure 'max', 1;
GO
--! error 15124
EXEC sp_addmessage 50100, 12, N'Bad %s', @with_log = 'true';
RAISERROR (50100, 12, 1, N'luck');
EXEC sp_altermessage 50100, 'WITH_LOG', 'false';
SELECT is_event_logged FROM sys.messages WHERE message_id = 50100;
GO
--! error 50100
--! rows
--! 0
--! log 50100 Bad luck
EXEC sp_addmessage 50200, 12, N'Schlecht', 'German';
GO
--! error 15279
EXEC sp_altermessage 50200, 'WITH_LOG', 'true';
GO
--! error 15179
EXEC sp_who 'nobody';
GO
--! error 15007
EXEC sp_who2 'sa';
EXEC sp_who 'active';
GO
--! rows
--! columns SPID | Status | Login | HostName | BlkBy | DBName | Command | CPUTime | DiskIO | LastBatch | ProgramName | SPID | REQUESTID
--! * | RUNNING | sa | * | * | master | * | * | 0 | 01/01 00:00:00 | * | * | 0
--! rows
--! columns spid | ecid | status | loginame | hostname | blk | dbname | cmd | request_id
--! * | 0 | running | sa | * | * | master | * | 0
