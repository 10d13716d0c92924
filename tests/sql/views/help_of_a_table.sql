-- sp_help of a table: all the result sets of its page, in order.
CREATE TABLE dbo.Owner (Id int NOT NULL CONSTRAINT PK_Owner PRIMARY KEY);
CREATE TABLE dbo.Thing (Id int IDENTITY(10, 5) NOT NULL CONSTRAINT PK_Thing PRIMARY KEY, Code varchar(8) NULL CONSTRAINT UQ_Thing UNIQUE,
    Price decimal(9, 2) NOT NULL, Share float, Twice AS Price * 2, Guid uniqueidentifier ROWGUIDCOL NOT NULL, Made datetime, Title nvarchar(5) NOT NULL,
    OwnerId int CONSTRAINT FK_Thing REFERENCES dbo.Owner (Id));
CREATE TABLE dbo.Plain (A int);
GO
EXEC sp_help 'dbo.Thing';
GO
--! rows
--! columns Name | Owner | Type | Created_datetime
--! Thing | dbo | user table | *
--! rows
--! columns Column_name | Type | Computed | Length | Prec | Scale | Nullable | TrimTrailingBlanks | FixedLenNullInSource | Collation
--! Id | int | no | 4 | 10    | 0     | no | (n/a) | (n/a) | NULL
--! Code | varchar | no | 8 |       |       | yes | no | yes | SQL_Latin1_General_CP1_CI_AS
--! Price | decimal | no | 5 | 9     | 2     | no | (n/a) | (n/a) | NULL
--! Share | float | no | 8 | 53    | NULL | yes | (n/a) | (n/a) | NULL
--! Twice | * | yes | * | * | * | * | (n/a) | (n/a) | NULL
--! Guid | uniqueidentifier | no | 16 |       |       | no | (n/a) | (n/a) | NULL
--! Made | datetime | no | 8 |       |       | yes | (n/a) | (n/a) | NULL
--! Title | nvarchar | no | 10 |       |       | no | (n/a) | (n/a) | SQL_Latin1_General_CP1_CI_AS
--! OwnerId | int | no | 4 | 10    | 0     | yes | (n/a) | (n/a) | NULL
--! rows
--! columns Identity | Seed | Increment | Not For Replication
--! Id | 10 | 5 | 0
--! rows
--! columns RowGuidCol
--! Guid
--! rows
--! columns Data_located_on_filegroup
--! PRIMARY
--! rows
--! columns index_name | index_description | index_keys
--! PK_Thing | clustered, unique, primary key located on PRIMARY | Id
--! UQ_Thing | nonclustered, unique, unique key located on PRIMARY | Code
--! rows
--! columns constraint_type | constraint_name | delete_action | update_action | status_enabled | status_for_replication | constraint_keys
--! FOREIGN KEY | FK_Thing | NO ACTION | NO ACTION | Enabled | Is_For_Replication | *
--! PRIMARY KEY (clustered) | PK_Thing | (n/a) | (n/a) | (n/a) | (n/a) | Id
--! UNIQUE (non-clustered) | UQ_Thing | (n/a) | (n/a) | (n/a) | (n/a) | Code
--! print No foreign keys reference table 'dbo.Thing'
EXEC sp_help 'dbo.Owner';
GO
--! rows
--! Owner | dbo | user table | *
--! rows
--! Id | int | no | 4 | 10    | 0     | no | (n/a) | (n/a) | NULL
--! rows
--! No identity column defined. | NULL | NULL | NULL
--! rows
--! No rowguidcol column defined.
--! rows
--! PRIMARY
--! rows
--! PK_Owner | clustered, unique, primary key located on PRIMARY | Id
--! rows
--! PRIMARY KEY (clustered) | PK_Owner | (n/a) | (n/a) | (n/a) | (n/a) | Id
--! rows
--! columns Table is referenced by foreign key
--! *
EXEC sp_help 'dbo.Plain';
GO
--! print The object 'dbo.Plain' does not have any indexes
--! print No constraints are defined on object 'dbo.Plain'
--! print No foreign keys reference table 'dbo.Plain'
CREATE TABLE #Mine (A int);
EXEC tempdb..sp_help '#Mine';
GO
--! rows
--! * | dbo | user table | *
--! rows
--! A | int | no | 4 | 10    | 0     | yes | (n/a) | (n/a) | NULL
--! rows
--! No identity column defined. | NULL | NULL | NULL
--! rows
--! No rowguidcol column defined.
--! rows
--! PRIMARY
EXEC sp_help '#Mine';
GO
--! error 15009
CREATE TYPE dbo.Code FROM nvarchar(20) NOT NULL;
GO
CREATE PROCEDURE dbo.DoIt @a dbo.Code, @b int OUTPUT AS RETURN;
GO
CREATE VIEW dbo.Seen AS SELECT A FROM dbo.Plain;
GO
CREATE SYNONYM dbo.Other FOR dbo.Plain;
GO
EXEC sp_help 'dbo.Code';
EXEC sp_help 'int';
EXEC sp_help 'dbo.DoIt';
EXEC sp_help 'dbo.Seen';
EXEC sp_help 'PK_Thing';
EXEC sp_help 'sys.schemas';
GO
--! rows
--! columns Type_name | Storage_type | Length | Prec | Scale | Nullable | Default_name | Rule_name | Collation
--! Code | nvarchar | 40 | 0 | 0 | no | none | none | SQL_Latin1_General_CP1_CI_AS
--! rows
--! int | int | 4 | 10 | 0 | yes | none | none | NULL
--! rows
--! DoIt | dbo | stored procedure | *
--! rows
--! columns Parameter_name | Type | Length | Prec | Scale | Param_order | Collation
--! @a | Code | 40 | 20 | NULL | 1 | SQL_Latin1_General_CP1_CI_AS
--! @b | int | 4 | 10 | 0 | 2 | NULL
--! rows
--! Seen | dbo | view | *
--! rows
--! A | int | no | 4 | 10    | 0     | yes | (n/a) | (n/a) | NULL
--! rows
--! No identity column defined. | NULL | NULL | NULL
--! rows
--! No rowguidcol column defined.
--! rows
--! PK_Thing | dbo | primary key cns | *
--! rows
--! schemas | sys | view | *
--! rows
--! name | sysname | no | 256 |       |       | no | (n/a) | (n/a) | SQL_Latin1_General_CP1_CI_AS
--! schema_id | int | no | 4 | 10    | 0     | no | (n/a) | (n/a) | NULL
--! principal_id | int | no | 4 | 10    | 0     | yes | (n/a) | (n/a) | NULL
--! rows
--! No identity column defined. | NULL | NULL | NULL
--! rows
--! No rowguidcol column defined.
