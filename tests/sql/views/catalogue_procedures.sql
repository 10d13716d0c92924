-- sp_pkeys, sp_fkeys, sp_statistics, sp_stored_procedures, sp_helptrigger, sp_helpconstraint; SET PARSEONLY.
CREATE TABLE dbo.Parent (A int, B int, C int CONSTRAINT DF_C DEFAULT 7, CONSTRAINT PK_Parent PRIMARY KEY (B, A), CONSTRAINT CK_C CHECK (C > 0));
CREATE TABLE dbo.Child (X int, Y int, CONSTRAINT FK_Child FOREIGN KEY (X, Y) REFERENCES dbo.Parent (B, A) ON DELETE CASCADE);
CREATE INDEX IX_C ON dbo.Parent (C DESC);
GO
CREATE PROCEDURE dbo.DoIt AS RETURN;
GO
CREATE TRIGGER dbo.Both ON dbo.Parent AFTER INSERT, UPDATE AS RETURN;
GO
EXEC sp_pkeys 'Parent';
EXEC sp_fkeys @pktable_name = 'Parent';
EXEC sp_statistics 'Parent';
EXEC sp_stored_procedures 'Do%';
EXEC sp_helptrigger 'dbo.Parent';
EXEC sp_helptrigger 'dbo.Parent', 'DELETE';
GO
--! rows
--! columns TABLE_QUALIFIER | TABLE_OWNER | TABLE_NAME | COLUMN_NAME | KEY_SEQ | PK_NAME
--! master | dbo | Parent | B | 1 | PK_Parent
--! master | dbo | Parent | A | 2 | PK_Parent
--! rows
--! master | dbo | Parent | B | master | dbo | Child | X | 1 | 1 | 0 | FK_Child | PK_Parent | 7
--! master | dbo | Parent | A | master | dbo | Child | Y | 2 | 1 | 0 | FK_Child | PK_Parent | 7
--! rows
--! master | dbo | Parent | NULL | NULL | NULL | 0 | NULL | NULL | NULL | 0 | 0 | NULL
--! master | dbo | Parent | 0 | Parent | PK_Parent | 1 | 1 | B | A | NULL | NULL | NULL
--! master | dbo | Parent | 0 | Parent | PK_Parent | 1 | 2 | A | A | NULL | NULL | NULL
--! master | dbo | Parent | 1 | Parent | IX_C | 3 | 1 | C | D | NULL | NULL | NULL
--! rows
--! master | dbo | DoIt;1 | -1 | -1 | -1 | NULL | 2
--! rows
--! columns trigger_name | trigger_owner | isupdate | isdelete | isinsert | isafter | isinsteadof | trigger_schema
--! Both | dbo | 1 | 0 | 1 | 1 | 0 | dbo
--! rows
EXEC sp_helpconstraint 'dbo.Parent';
EXEC sp_helpconstraint 'dbo.Child', 'nomsg';
GO
--! rows
--! dbo.Parent
--! rows
--! CHECK | CK_C | (n/a) | (n/a) | Enabled | Is_For_Replication | *
--! DEFAULT on column C | DF_C | (n/a) | (n/a) | (n/a) | (n/a) | *
--! PRIMARY KEY (clustered) | PK_Parent | (n/a) | (n/a) | (n/a) | (n/a) | B, A
--! rows
--! dbo.Child: FK_Child
--! rows
--! FOREIGN KEY | FK_Child | CASCADE | NO ACTION | Enabled | Is_For_Replication | X, Y REFERENCES dbo.Parent
--! print No foreign keys reference table 'dbo.Child'
EXEC sp_fkeys;
GO
--! error 15252
EXEC sp_helptrigger 'dbo.Nothing';
GO
--! error 15009
-- PARSEONLY counts from the moment its batch is parsed
SELECT 'not run';
SET PARSEONLY ON;
SELECT 'nor this';
GO
SELECT 'nor this';
PRINT 'nothing';
GO
SELECT 'run again';
SET PARSEONLY OFF;
GO
--! rows
--! run again
SET FIPS_FLAGGER OFF;
SELECT 1;
GO
--! rows
--! 1
SELECT TABLE_NAME, COLUMN_NAME, CONSTRAINT_NAME FROM INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE ORDER BY CONSTRAINT_NAME, COLUMN_NAME;
SELECT TABLE_NAME, CONSTRAINT_NAME FROM INFORMATION_SCHEMA.CONSTRAINT_TABLE_USAGE ORDER BY CONSTRAINT_NAME;
GO
--! rows
--! Parent | C | CK_C
--! Child | X | FK_Child
--! Child | Y | FK_Child
--! Parent | A | PK_Parent
--! Parent | B | PK_Parent
--! rows
--! Parent | CK_C
--! Child | FK_Child
--! Parent | PK_Parent
