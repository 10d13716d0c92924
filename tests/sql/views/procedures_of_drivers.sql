-- The catalogue procedures under the names by which drivers of SQL Server 2005 (_90) and 2008 (_100) and later ask for them.
CREATE TYPE dbo.Lines AS TABLE (N int);
CREATE TABLE dbo.Moments (Id int IDENTITY NOT NULL, At datetime2(3) NOT NULL, Day date, Word varchar(9) COLLATE Polish_CI_AS, Name nvarchar(5), Version rowversion,
    CONSTRAINT PK_Moments PRIMARY KEY (Id, At));
CREATE INDEX IX_Day ON dbo.Moments (Day DESC);
GO
CREATE PROCEDURE dbo.Note @at datetime2(3), @day date = NULL OUTPUT, @lines dbo.Lines READONLY AS RETURN 1;
GO
--! spec TOOL-12
EXEC sp_tablecollations N'dbo.Moments';
EXEC sp_tablecollations_90 N'Moments';
EXEC sp_tablecollations_100 N'[dbo].[Moments]';
EXEC master..sp_tablecollations_100 N'nowhere';
GO
--! rows
--! columns colid | name | tds_collation_28 | collation_28
--! 1 | Id | NULL | NULL
--! 2 | At | NULL | NULL
--! 3 | Day | NULL | NULL
--! 4 | Word | 0x1504D00000 | Polish_CI_AS
--! 5 | Name | 0x0904D00034 | SQL_Latin1_General_CP1_CI_AS
--! 6 | Version | NULL | NULL
--! rows
--! columns colid | name | tds_collation_90 | collation_90
--! 1 | Id | NULL | NULL
--! 2 | At | NULL | NULL
--! 3 | Day | NULL | NULL
--! 4 | Word | 0x1504D00000 | Polish_CI_AS
--! 5 | Name | 0x0904D00034 | SQL_Latin1_General_CP1_CI_AS
--! 6 | Version | NULL | NULL
--! rows
--! columns colid | name | tds_collation | collation_100
--! 1 | Id | NULL | NULL
--! 2 | At | NULL | NULL
--! 3 | Day | NULL | NULL
--! 4 | Word | 0x1504D00000 | Polish_CI_AS
--! 5 | Name | 0x0904D00034 | SQL_Latin1_General_CP1_CI_AS
--! 6 | Version | NULL | NULL
--! rows
SELECT COLLATIONPROPERTY('Latin1_General_CI_AS', 'TDSCollation'), COLLATIONPROPERTY('Latin1_General_CS_AS_KS_WS', 'TDSCollation'), COLLATIONPROPERTY('Latin1_General_BIN', 'TDSCollation'),
    COLLATIONPROPERTY('Latin1_General_100_BIN2_UTF8', 'TDSCollation'), COLLATIONPROPERTY('Latin1_General_100_CI_AI', 'TDSCollation')
GO
--! rows
--! 0x0904D00000 | 0x0904000000 | 0x0904000100 | 0x0904002600 | 0x0904F02000
--! spec TOOL-13
EXEC sp_statistics_100 'Moments';
EXEC sp_statistics_100 @table_name = N'Moments', @table_owner = N'dbo', @index_name = N'IX%', @is_unique = 'N', @accuracy = 'Q';
EXEC sp_special_columns_90 'Moments';
EXEC sp_special_columns_100 'Moments', @ODBCVer = 3;
EXEC sp_special_columns_100 'Moments', @col_type = 'V';
GO
--! rows
--! columns TABLE_QUALIFIER | TABLE_OWNER | TABLE_NAME | NON_UNIQUE | INDEX_QUALIFIER | INDEX_NAME | TYPE | SEQ_IN_INDEX | COLUMN_NAME | COLLATION | CARDINALITY | PAGES | FILTER_CONDITION
--! master | dbo | Moments | NULL | NULL | NULL | 0 | NULL | NULL | NULL | 0 | 0 | NULL
--! master | dbo | Moments | 0 | Moments | PK_Moments | 1 | 1 | Id | A | NULL | NULL | NULL
--! master | dbo | Moments | 0 | Moments | PK_Moments | 1 | 2 | At | A | NULL | NULL | NULL
--! master | dbo | Moments | 1 | Moments | IX_Day | 3 | 1 | Day | D | NULL | NULL | NULL
--! rows
--! master | dbo | Moments | NULL | NULL | NULL | 0 | NULL | NULL | NULL | 0 | 0 | NULL
--! master | dbo | Moments | 1 | Moments | IX_Day | 3 | 1 | Day | D | NULL | NULL | NULL
--! rows
--! columns SCOPE | COLUMN_NAME | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | PSEUDO_COLUMN
--! 1 | Id | 4 | int identity | 10 | 4 | 0 | 1
--! 1 | At | -9 | datetime2 | 23 | 46 | 3 | 1
--! rows
--! 1 | Id | 4 | int identity | 10 | 4 | 0 | 1
--! 1 | At | 93 | datetime2 | 23 | 16 | 3 | 1
--! rows
--! 1 | Version | -2 | timestamp | 8 | 8 | NULL | 1
EXEC sp_sproc_columns_90 'Note', @column_name = '@day';
EXEC sp_sproc_columns_100 'Note', @ODBCVer = 3;
GO
--! rows
--! columns PROCEDURE_QUALIFIER | PROCEDURE_OWNER | PROCEDURE_NAME | COLUMN_NAME | COLUMN_TYPE | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | RADIX | NULLABLE | REMARKS | COLUMN_DEF | SQL_DATA_TYPE | SQL_DATETIME_SUB | CHAR_OCTET_LENGTH | ORDINAL_POSITION | IS_NULLABLE | SS_UDT_CATALOG_NAME | SS_UDT_SCHEMA_NAME | SS_UDT_ASSEMBLY_TYPE_NAME | SS_XML_SCHEMACOLLECTION_CATALOG_NAME | SS_XML_SCHEMACOLLECTION_SCHEMA_NAME | SS_XML_SCHEMACOLLECTION_NAME | SS_DATA_TYPE
--! master | dbo | Note;1 | @day | 2 | -9 | date | 10 | 20 | NULL | NULL | 1 | NULL | NULL | -9 | NULL | NULL | 2 | YES | NULL | NULL | NULL | NULL | NULL | NULL | 0
--! rows
--! columns PROCEDURE_QUALIFIER | PROCEDURE_OWNER | PROCEDURE_NAME | COLUMN_NAME | COLUMN_TYPE | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | RADIX | NULLABLE | REMARKS | COLUMN_DEF | SQL_DATA_TYPE | SQL_DATETIME_SUB | CHAR_OCTET_LENGTH | ORDINAL_POSITION | IS_NULLABLE | SS_TYPE_CATALOG_NAME | SS_TYPE_SCHEMA_NAME | SS_UDT_CATALOG_NAME | SS_UDT_SCHEMA_NAME | SS_UDT_ASSEMBLY_TYPE_NAME | SS_XML_SCHEMACOLLECTION_CATALOG_NAME | SS_XML_SCHEMACOLLECTION_SCHEMA_NAME | SS_XML_SCHEMACOLLECTION_NAME | SS_DATA_TYPE
--! master | dbo | Note;1 | @RETURN_VALUE | 5 | 4 | int | 10 | 4 | 0 | 10 | 0 | NULL | NULL | 4 | NULL | NULL | 0 | NO | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 56
--! master | dbo | Note;1 | @at | 1 | 93 | datetime2 | 23 | 16 | 3 | NULL | 1 | NULL | NULL | 9 | 3 | NULL | 1 | YES | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0
--! master | dbo | Note;1 | @day | 2 | 91 | date | 10 | 6 | NULL | NULL | 1 | NULL | NULL | 9 | 1 | NULL | 2 | YES | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0
--! master | dbo | Note;1 | @lines | 1 | -153 | Lines | 0 | 0 | NULL | NULL | 1 | NULL | NULL | -153 | NULL | NULL | 3 | YES | master | dbo | NULL | NULL | NULL | NULL | NULL | NULL | NULL
EXEC sp_columns_90 'Moments', 'dbo', @column_name = 'Day', @ODBCVer = 3, @fUsePattern = 0;
EXEC sp_datatype_info_90 4;
GO
--! rows
--! columns TABLE_QUALIFIER | TABLE_OWNER | TABLE_NAME | COLUMN_NAME | DATA_TYPE | TYPE_NAME | PRECISION | LENGTH | SCALE | RADIX | NULLABLE | REMARKS | COLUMN_DEF | SQL_DATA_TYPE | SQL_DATETIME_SUB | CHAR_OCTET_LENGTH | ORDINAL_POSITION | IS_NULLABLE | SS_UDT_CATALOG_NAME | SS_UDT_SCHEMA_NAME | SS_UDT_ASSEMBLY_TYPE_NAME | SS_XML_SCHEMACOLLECTION_CATALOG_NAME | SS_XML_SCHEMACOLLECTION_SCHEMA_NAME | SS_XML_SCHEMACOLLECTION_NAME | SS_DATA_TYPE
--! master | dbo | Moments | Day | -9 | date | 10 | 20 | NULL | NULL | 1 | NULL | NULL | -9 | NULL | NULL | 3 | YES | NULL | NULL | NULL | NULL | NULL | NULL | 0
--! rows
--! int | 4 | 10 | NULL | NULL | NULL | 1 | 0 | 2 | 0 | 0 | 0 | int | 0 | 0 | 4 | NULL | 10 | NULL | 7
--! int identity | 4 | 10 | NULL | NULL | NULL | 0 | 0 | 2 | 0 | 0 | 1 | int identity | 0 | 0 | 4 | NULL | 10 | NULL | 7
EXEC sp_statistics_100 'Moments', 'dbo', 'elsewhere';
GO
--! error 15250
