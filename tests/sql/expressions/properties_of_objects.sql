-- OBJECTPROPERTY(EX), COLUMNPROPERTY, TYPEPROPERTY, DATABASEPROPERTYEX, SERVERPROPERTY, FILE_ID …: the documented properties.
CREATE DATABASE Props;
GO
USE Props;
GO
CREATE TYPE dbo.Code FROM nvarchar(20) NOT NULL;
CREATE TABLE dbo.Parent (Id int NOT NULL CONSTRAINT PK_Parent PRIMARY KEY, U int CONSTRAINT UQ_Parent UNIQUE);
CREATE TABLE dbo.T (Id int IDENTITY NOT NULL, P int CONSTRAINT FK_T REFERENCES dbo.Parent ON DELETE CASCADE, N decimal(9, 3) CONSTRAINT DF_N DEFAULT 1,
    C dbo.Code, Twice AS N * 2, G uniqueidentifier ROWGUIDCOL, X xml, CONSTRAINT CK_T CHECK (P < N));
CREATE INDEX IX_T ON dbo.T (P);
GO
CREATE TRIGGER dbo.Ins ON dbo.T AFTER INSERT, UPDATE AS RETURN;
GO
CREATE FUNCTION dbo.Sure (@a int) RETURNS int WITH SCHEMABINDING AS BEGIN RETURN @a * 2 END;
GO
CREATE FUNCTION dbo.Unsure (@a int) RETURNS int AS BEGIN RETURN @a * 2 END;
GO
CREATE FUNCTION dbo.Rows (@a int) RETURNS TABLE AS RETURN SELECT @a AS a;
GO
CREATE VIEW dbo.V WITH SCHEMABINDING AS SELECT Id, N FROM dbo.T;
GO
CREATE PROCEDURE dbo.P @a nvarchar(30), @b int OUTPUT AS RETURN;
GO
DECLARE @t int = OBJECT_ID('dbo.T'), @p int = OBJECT_ID('dbo.Parent');
SELECT OBJECTPROPERTY(@t, 'IsTable'), OBJECTPROPERTY(@t, 'IsUserTable'), OBJECTPROPERTY(@t, 'IsView'), OBJECTPROPERTY(@t, 'TableHasIdentity'),
    OBJECTPROPERTY(@t, 'TableHasPrimaryKey'), OBJECTPROPERTY(@p, 'TableHasPrimaryKey'), OBJECTPROPERTY(@t, 'TableHasForeignKey'),
    OBJECTPROPERTY(@p, 'TableHasForeignRef'), OBJECTPROPERTY(@t, 'TableHasCheckCnst'), OBJECTPROPERTY(@t, 'TableHasDefaultCnst'),
    OBJECTPROPERTY(@t, 'TableHasNonclustIndex'), OBJECTPROPERTY(@t, 'TableHasClustIndex'), OBJECTPROPERTY(@p, 'TableHasUniqueCnst'),
    OBJECTPROPERTY(@t, 'TableHasRowGuidCol'), OBJECTPROPERTY(@t, 'TableHasInsertTrigger'), OBJECTPROPERTY(@t, 'TableHasDeleteTrigger'),
    OBJECTPROPERTY(@t, 'TableInsertTriggerCount'), OBJECT_NAME(OBJECTPROPERTY(@t, 'TableUpdateTrigger')), OBJECTPROPERTY(@t, 'HasAfterTrigger'),
    OBJECTPROPERTY(@t, 'IsIndexed'), OBJECTPROPERTY(@t, 'OwnerId'), OBJECTPROPERTY(@t, 'SchemaId'), OBJECTPROPERTY(@t, 'TableTemporalType'),
    OBJECTPROPERTY(@t, 'Nonsense'), OBJECTPROPERTY(12, 'IsTable');
SELECT OBJECTPROPERTY(OBJECT_ID('PK_Parent'), 'IsPrimaryKey'), OBJECTPROPERTY(OBJECT_ID('PK_Parent'), 'CnstIsClustKey'), OBJECTPROPERTY(OBJECT_ID('UQ_Parent'), 'CnstIsNonclustKey'),
    OBJECTPROPERTY(OBJECT_ID('FK_T'), 'IsForeignKey'), OBJECTPROPERTY(OBJECT_ID('FK_T'), 'CnstIsDeleteCascade'), OBJECTPROPERTY(OBJECT_ID('FK_T'), 'CnstIsUpdateCascade'),
    OBJECTPROPERTY(OBJECT_ID('CK_T'), 'IsCheckCnst'), OBJECTPROPERTY(OBJECT_ID('CK_T'), 'IsConstraint'), OBJECTPROPERTY(OBJECT_ID('DF_N'), 'IsDefaultCnst'),
    OBJECTPROPERTY(OBJECT_ID('CK_T'), 'CnstIsDisabled'), OBJECTPROPERTYEX(OBJECT_ID('CK_T'), 'BaseType'), OBJECTPROPERTYEX(@t, 'BaseType');
SELECT OBJECTPROPERTY(OBJECT_ID('dbo.Ins'), 'ExecIsInsertTrigger'), OBJECTPROPERTY(OBJECT_ID('dbo.Ins'), 'ExecIsDeleteTrigger'),
    OBJECTPROPERTY(OBJECT_ID('dbo.Ins'), 'ExecIsAfterTrigger'), OBJECTPROPERTY(OBJECT_ID('dbo.Ins'), 'ExecIsTriggerDisabled'),
    OBJECTPROPERTY(OBJECT_ID('dbo.Sure'), 'IsScalarFunction'), OBJECTPROPERTY(OBJECT_ID('dbo.Sure'), 'IsDeterministic'),
    OBJECTPROPERTY(OBJECT_ID('dbo.Unsure'), 'IsDeterministic'), OBJECTPROPERTY(OBJECT_ID('dbo.Sure'), 'IsSchemaBound'), OBJECTPROPERTY(OBJECT_ID('dbo.V'), 'IsSchemaBound'),
    OBJECTPROPERTY(OBJECT_ID('dbo.Rows'), 'IsInlineFunction'), OBJECTPROPERTY(OBJECT_ID('dbo.Rows'), 'IsTableFunction'), OBJECTPROPERTY(OBJECT_ID('dbo.P'), 'IsProcedure'),
    OBJECTPROPERTY(OBJECT_ID('sys.objects'), 'IsMSShipped'), OBJECTPROPERTY(OBJECT_ID('sys.objects'), 'IsView');
GO
--! rows
--! 1 | 1 | 0 | 1 | 0 | 1 | 1 | 1 | 1 | 1 | 1 | 0 | 1 | 1 | 1 | 0 | 1 | Ins | 1 | 1 | 1 | 1 | 0 | NULL | NULL
--! rows
--! 1 | 1 | 1 | 1 | 1 | 0 | 1 | 1 | 1 | 0 | C  | U 
--! rows
--! 1 | 0 | 1 | 0 | 1 | 1 | 0 | 1 | 1 | 1 | 1 | 1 | 1 | 1
DECLARE @t int = OBJECT_ID('dbo.T');
SELECT COLUMNPROPERTY(@t, 'Id', 'IsIdentity'), COLUMNPROPERTY(@t, 'Id', 'AllowsNull'), COLUMNPROPERTY(@t, 'Id', 'ColumnId'), COLUMNPROPERTY(@t, 'N', 'Precision'),
    COLUMNPROPERTY(@t, 'N', 'Scale'), COLUMNPROPERTY(@t, 'C', 'Precision'), COLUMNPROPERTY(@t, 'C', 'Scale'), COLUMNPROPERTY(@t, 'Twice', 'IsComputed'),
    COLUMNPROPERTY(@t, 'Twice', 'IsDeterministic'), COLUMNPROPERTY(@t, 'N', 'IsDeterministic'), COLUMNPROPERTY(@t, 'G', 'IsRowGuidCol'),
    COLUMNPROPERTY(@t, 'X', 'IsXmlIndexable'), COLUMNPROPERTY(@t, 'X', 'IsIndexable'), COLUMNPROPERTY(@t, 'Id', 'IsSparse'), COLUMNPROPERTY(@t, 'Id', 'IsHidden'),
    COLUMNPROPERTY(@t, 'Nothing', 'AllowsNull'), COLUMNPROPERTY(@t, 'Id', 'Nonsense');
SELECT COLUMNPROPERTY(OBJECT_ID('dbo.P'), '@a', 'Precision'), COLUMNPROPERTY(OBJECT_ID('dbo.P'), '@b', 'IsOutParam'), COLUMNPROPERTY(OBJECT_ID('dbo.P'), '@a', 'IsOutParam'),
    COLUMNPROPERTY(OBJECT_ID('dbo.V'), 'N', 'ColumnId'), COL_NAME(OBJECT_ID('dbo.V'), 2), COL_NAME(OBJECT_ID('sys.schemas'), 2);
SELECT TYPEPROPERTY('int', 'Precision'), TYPEPROPERTY('decimal', 'Scale'), TYPEPROPERTY('dbo.Code', 'AllowsNull'), TYPEPROPERTY('dbo.Code', 'Precision'),
    TYPEPROPERTY('varchar', 'UsesAnsiTrim'), TYPEPROPERTY('nvarchar', 'Precision'), TYPEPROPERTY('sys.int', 'OwnerId'), TYPEPROPERTY('nothing', 'Precision');
GO
--! rows
--! 1 | 0 | 1 | 9 | 3 | 20 | NULL | 1 | 1 | NULL | 1 | 1 | 0 | 0 | 0 | NULL | NULL
--! rows
--! 30 | 1 | 0 | 2 | N | schema_id
--! rows
--! 10 | 38 | 0 | 20 | 1 | 4000 | 4 | NULL
SELECT DATABASEPROPERTYEX('Props', 'Status'), DATABASEPROPERTYEX('Props', 'Recovery'), DATABASEPROPERTYEX('Props', 'Updateability'),
    DATABASEPROPERTYEX('Props', 'UserAccess'), DATABASEPROPERTYEX('Props', 'IsAutoClose'), DATABASEPROPERTYEX('Props', 'LastGoodCheckDbTime'),
    DATABASEPROPERTYEX('Props', 'IsXTPSupported'), DATABASEPROPERTYEX('Props', 'Nonsense'), DATABASEPROPERTYEX('NoSuch', 'Status');
SELECT SERVERPROPERTY('EngineEdition'), SERVERPROPERTY('SqlSortOrder'), SERVERPROPERTY('IsLocalDB'), SERVERPROPERTY('LicenseType'), SERVERPROPERTY('NumLicenses'),
    SERVERPROPERTY('HadrManagerStatus'), SERVERPROPERTY('IsTempDbMetadataMemoryOptimized'), SERVERPROPERTY('Nonsense');
SELECT FILE_ID('Props'), FILE_IDEX('Props_log'), FILE_NAME(1), FILE_NAME(2), FILE_NAME(3), FILEPROPERTY('Props', 'IsPrimaryFile'), FILEPROPERTY('Props_log', 'IsLogFile'),
    FILEPROPERTY('Nothing', 'IsLogFile'), FILEGROUP_ID('PRIMARY'), FILEGROUP_NAME(1), FILEGROUPPROPERTY('PRIMARY', 'IsDefault');
GO
--! rows
--! ONLINE | FULL | READ_WRITE | MULTI_USER | 0 | 1900-01-01 00:00:00.000 | 0 | NULL | NULL
--! rows
--! 3 | 52 | 0 | DISABLED | NULL | 2 | 0 | NULL
--! rows
--! 1 | 2 | Props | Props_log | NULL | 1 | 1 | NULL | 1 | PRIMARY | 1
SELECT OBJECT_NAME(OBJECT_ID('sys.tables')), OBJECT_SCHEMA_NAME(OBJECT_ID('INFORMATION_SCHEMA.TABLES')), IIF(OBJECT_ID('sp_help') = OBJECT_ID('sys.sp_help', 'P'), 'same', 'other'),
    OBJECT_ID('sys.nothing'), IIF(OBJECT_ID('sysobjects', 'V') IS NULL, 'none', 'found'), OBJECT_ID('sys.tables', 'U');
SELECT COUNT(*) FROM sys.all_objects AS o JOIN sys.system_objects AS s ON s.object_id = o.object_id GROUP BY o.object_id HAVING COUNT(*) > 1;
SELECT name, TYPE_NAME(user_type_id), is_nullable FROM sys.all_columns WHERE object_id = OBJECT_ID('sys.schemas') ORDER BY column_id;
GO
--! rows
--! tables | INFORMATION_SCHEMA | same | NULL | found | NULL
--! rows
--! rows
--! name | sysname | 0
--! schema_id | int | 0
--! principal_id | int | 1
