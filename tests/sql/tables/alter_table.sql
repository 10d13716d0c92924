-- ALTER TABLE, indexes and what they refuse.
CREATE TABLE dbo.T (A int NOT NULL, B varchar(10) NULL);
INSERT dbo.T VALUES (1, 'x'), (2, 'y');
GO
ALTER TABLE dbo.T ADD C int NULL, D int NOT NULL CONSTRAINT DF_D DEFAULT 5, E AS A + 1;
SELECT * FROM dbo.T ORDER BY A;
GO
--! rows
--! columns A | B | C | D | E
--! 1 | x | NULL | 5 | 2
--! 2 | y | NULL | 5 | 3
ALTER TABLE dbo.T ADD F int NOT NULL;
GO
--! error 4901
ALTER TABLE dbo.T ADD a int;
GO
--! error 2705
ALTER TABLE dbo.T ADD CONSTRAINT PK_T PRIMARY KEY (B);
GO
--! error 8111
--! error 1750
ALTER TABLE dbo.T ADD CONSTRAINT PK_T PRIMARY KEY (A);
ALTER TABLE dbo.T ADD CONSTRAINT PK_U PRIMARY KEY (D);
GO
--! error 1779
INSERT dbo.T (A) VALUES (1);
GO
--! error 2627
ALTER TABLE dbo.T ADD CONSTRAINT UQ_D UNIQUE (D);
GO
--! error 1505
--! error 1750
ALTER TABLE dbo.T ADD CONSTRAINT CK_A CHECK (A > 1);
GO
--! error 547 text ALTER TABLE
ALTER TABLE dbo.T WITH NOCHECK ADD CONSTRAINT CK_A CHECK (A > 1);
INSERT dbo.T (A) VALUES (0);
GO
--! error 547
ALTER TABLE dbo.T ADD CONSTRAINT CK_A CHECK (A > 0);
GO
--! error 2714
--! error 1750
ALTER TABLE dbo.T DROP COLUMN D;
GO
--! error 5074
--! error 4922
ALTER TABLE dbo.T DROP CONSTRAINT DF_D;
ALTER TABLE dbo.T DROP COLUMN D;
ALTER TABLE dbo.T DROP COLUMN Nope;
GO
--! error 4924
ALTER TABLE dbo.T DROP CONSTRAINT Nope;
GO
--! error 3728
--! error 3727
ALTER TABLE dbo.T ALTER COLUMN B varchar(50) NOT NULL;
ALTER TABLE dbo.T ALTER COLUMN C bigint;
INSERT dbo.T (A, B, C) VALUES (7, 'a text of more than ten', 5000000000);
SELECT A, B, C FROM dbo.T WHERE A = 7;
GO
--! rows
--! 7 | a text of more than ten | 5000000000
ALTER TABLE dbo.T ALTER COLUMN B varchar(5);
GO
--! error 2628
ALTER TABLE dbo.T ALTER COLUMN C int NOT NULL;
GO
--! error 515
ALTER TABLE dbo.Nope ADD A int;
GO
--! error 4902
CREATE UNIQUE INDEX UX_B ON dbo.T (B);
INSERT dbo.T (A, B) VALUES (8, 'X');
GO
--! error 2601
CREATE INDEX UX_B ON dbo.T (A);
GO
--! error 1913
CREATE INDEX IX ON dbo.T (Nope);
GO
--! error 1911
CREATE INDEX IX ON dbo.Nope (A);
GO
--! error 1088
CREATE INDEX IX_A ON dbo.T (A DESC) INCLUDE (B) WHERE A > 5;
CREATE UNIQUE INDEX UX_C ON dbo.T (C) WHERE C IS NOT NULL;
INSERT dbo.T (A, B, C) VALUES (20, 'n1', NULL), (21, 'n2', NULL);
INSERT dbo.T (A, B, C) VALUES (22, 'n3', 5000000000);
GO
--! error 2601
CREATE UNIQUE INDEX UX_C2 ON dbo.T (C);
GO
--! error 1505
DROP INDEX UX_B ON dbo.T;
INSERT dbo.T (A, B) VALUES (8, 'X');
DROP INDEX UX_B ON dbo.T;
GO
--! error 3701
DROP INDEX IF EXISTS UX_B ON dbo.T;
DROP TABLE IF EXISTS dbo.Nope;
DROP TABLE dbo.T;
DROP TABLE dbo.T;
GO
--! error 3701
CREATE TABLE dbo.Bad (A int, A int);
GO
--! error 2705
CREATE TABLE dbo.Bad (A int PRIMARY KEY, B int PRIMARY KEY);
GO
--! error 8110
CREATE TABLE dbo.Bad (A int NULL PRIMARY KEY);
GO
--! error 8111
--! error 1750
CREATE TABLE dbo.Bad (A int IDENTITY, B int IDENTITY);
GO
--! error 2744
CREATE TABLE dbo.Bad (A varchar(10) IDENTITY);
GO
--! error 2749
CREATE TABLE nowhere.Bad (A int);
GO
--! error 2760
CREATE TABLE dbo.Bad (A notatype);
GO
--! error 2715
CREATE TABLE dbo.Bad (A int, CHECK (B > 1));
GO
--! error 207
-- Constraints that were not checked against all rows are not trusted until they are.
CREATE TABLE dbo.TrustP (Id int PRIMARY KEY);
CREATE TABLE dbo.TrustC (A int CONSTRAINT CK_Trust CHECK (A > 0), B int CONSTRAINT FK_Trust REFERENCES dbo.TrustP);
ALTER TABLE dbo.TrustC WITH NOCHECK ADD CONSTRAINT CK_Trust2 CHECK (A < 10);
SELECT name, is_disabled, is_not_trusted FROM sys.check_constraints WHERE name LIKE 'CK_Trust%' ORDER BY name;
ALTER TABLE dbo.TrustC NOCHECK CONSTRAINT ALL;
SELECT is_disabled, is_not_trusted FROM sys.foreign_keys WHERE name = 'FK_Trust';
ALTER TABLE dbo.TrustC CHECK CONSTRAINT ALL;
SELECT is_disabled, is_not_trusted FROM sys.foreign_keys WHERE name = 'FK_Trust';
ALTER TABLE dbo.TrustC WITH CHECK CHECK CONSTRAINT ALL;
SELECT SUM(CAST(is_disabled AS int)), SUM(CAST(is_not_trusted AS int)) FROM sys.check_constraints WHERE name LIKE 'CK_Trust%';
SELECT is_disabled, is_not_trusted FROM sys.foreign_keys WHERE name = 'FK_Trust';
GO
--! rows
--! CK_Trust | 0 | 0
--! CK_Trust2 | 0 | 1
--! rows
--! 1 | 1
--! rows
--! 0 | 1
--! rows
--! 0 | 0
--! rows
--! 0 | 0

-- A default minds another type, not another size; CHECK and UNIQUE take another length of a variable one, an index a greater one.
CREATE TABLE sized (a decimal(12, 2) CONSTRAINT df_sized DEFAULT 1, b nvarchar(10) CONSTRAINT uq_sized UNIQUE CONSTRAINT ck_sized CHECK (b <> 'x'),
    c varchar(10) PRIMARY KEY, e varchar(5) INDEX ix_sized, f datetime2(3) DEFAULT '2024-01-01');
INSERT sized VALUES (1.25, 'long', 'r', 's', '2024-02-29 12:00:00.123');
ALTER TABLE sized ALTER COLUMN a decimal(14, 3);
ALTER TABLE sized ALTER COLUMN b nvarchar(20) NOT NULL;
ALTER TABLE sized ALTER COLUMN b nvarchar(4) NOT NULL;
ALTER TABLE sized ALTER COLUMN e varchar(20);
ALTER TABLE sized ALTER COLUMN f datetime2(0);
INSERT sized (b, c) VALUES ('q', 'x');
SELECT * FROM sized ORDER BY c;
GO
--! rows
--! 1.250 | long | r | s | 2024-02-29 12:00:00
--! 1.000 | q | x | NULL | 2024-01-01 00:00:00
ALTER TABLE sized ALTER COLUMN a float
GO
--! error 5074
--! error 4922
ALTER TABLE sized ALTER COLUMN b varchar(20)
GO
--! error 5074
--! error 5074
--! error 4922
ALTER TABLE sized ALTER COLUMN b nvarchar(4) COLLATE Latin1_General_BIN
GO
--! error 5074
--! error 5074
--! error 4922
ALTER TABLE sized ALTER COLUMN c varchar(20) NOT NULL
GO
--! error 5074
--! error 4922
ALTER TABLE sized ALTER COLUMN e varchar(10)
GO
--! error 5074
--! error 4922
